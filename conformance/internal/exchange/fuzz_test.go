package exchange

import (
	"bytes"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// meter counts what is read.
type meter struct {
	*bytes.Reader
	read int
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	m.read += n
	return n, err
}

// FuzzReadResponse: no input panics, none is kept or read beyond the limits,
// and how it is cut into segments does not matter.
func FuzzReadResponse(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nA: b\r\n\r\n",
		"HTTP/1.0 200 OK\n\nbody until close",
		"\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n c\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nsurplus",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
		"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n\x78\x9c\x03\x00\x00\x00\x00\x01",
		"HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nConnection: close\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\n",
		"garbage", "HTTP/1.", "\r", "",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	l := Limits{
		Head: 200, Fields: 5, Interim: 3, EmptyLines: 2, Body: 300, Framing: 400,
		ChunkLine: 30, Content: 500, Surplus: 20, Received: 40,
	}
	f.Fuzz(func(t *testing.T, raw []byte, head bool) {
		r := &Request{Method: "POST"}
		if head {
			r.Method = "HEAD"
		}
		src := &meter{Reader: bytes.NewReader(raw)}
		e := ReadResponse(src, r, l)
		most := (l.Interim+2)*l.Head + l.Body + l.Framing + 4*l.Body + 2*firstBuffer
		require.LessOrEqual(t, src.read, most)
		require.LessOrEqual(t, len(e.Interim), l.Interim)
		require.LessOrEqual(t, len(e.Received), l.Received)
		require.True(t, e.Response != nil || e.Failure != nil)
		if e.Response != nil {
			require.LessOrEqual(t, len(e.Response.Head), l.Head)
			require.LessOrEqual(t, len(e.Response.Fields), l.Fields)
			require.LessOrEqual(t, len(e.Response.Body), l.Body)
			require.LessOrEqual(t, len(e.Response.Content), max(l.Content, l.Body))
			require.LessOrEqual(t, len(e.Response.Surplus), l.Surplus)
			require.LessOrEqual(t, len(e.Response.Trailers), l.Fields)
		}
		assertSame(t, e, ReadResponse(iotest.OneByteReader(bytes.NewReader(raw)), r, l))
	})
}
