package message

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestABodyIsReadAsItsFramingSays(t *testing.T) {
	for _, row := range []struct {
		fields, after, body string
		want                carriage
	}{
		{"Content-Length: 2\r\n", "{}", "{}", carriage{known: true}},
		{"Content-Length: 002\r\n", "{}", "{}", carriage{known: true}},
		{"Content-Length: 2\r\nContent-Length: 2\r\n", "{}", "{}", carriage{known: true, closes: true}},
		{"Content-Length: 2, 2\r\n", "{}", "{}", carriage{known: true, closes: true}},
		{"Content-Length: 1\r\n", "{}", "{", carriage{known: true, closes: true}},
		{"", "{}", "", carriage{known: true, closes: true}},
		{"", "", "", carriage{known: true}},
		{"Content-Length: 2\r\nContent-Length: 1\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: -2\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: +2\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: \r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: 0x2\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: 2.0\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Content-Length: 99999999999999999999\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Content-Length: 3\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: Chunked\r\n", "002\r\n{}\r\n0\r\n\r\n", "{}", carriage{known: true}},
		{"Transfer-Encoding: chunked\r\n", "2;a=b\r\n{}\r\n0\r\n\r\n", "{}", carriage{known: true, closes: true}},
		{"Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\nA: b\r\n\r\n", "{}", carriage{known: true, closes: true}},
		{"Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\nx", "{}", carriage{known: true, closes: true}},
		{"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "2\r\n{}\r\n0\r\n\r\n", "{}", carriage{known: true, closes: true, waits: true}},
		{"Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: chunked\r\n", "x\r\n{}\r\n0\r\n\r\n", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: gzip\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n", "", carriage{closes: true, waits: true}},
	} {
		got := carried([]byte("POST / HTTP/1.1\r\nHost: a\r\n"+row.fields+"\r\n"), []byte(row.after))
		assert.Equal(t, row.body, string(got.body), row.fields+row.after)
		got.body = nil
		assert.Equal(t, row.want, got, row.fields+row.after)
	}
	old := carried([]byte("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), []byte("2\r\n{}\r\n0\r\n\r\n"))
	assert.Equal(t, carriage{closes: true, waits: true}, old, "HTTP/1.0 has no chunks (RFC 9112, 6.1)")
}
