package serialize_test

import (
	"testing"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/serialize"
)

// What is read without a reason is one value, however it is written.
func FuzzWhatIsReadWithoutReasonsIsOneBody(f *testing.F) {
	f.Add(true, "b", []byte("id=5&name=a+b&list=x&list=y&x=1&place=%7B%22x%22%3A1%7D"))
	f.Add(false, "b", []byte("--b\r\nContent-Disposition: form-data; name=\"list\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\r\n--b--\r\n"))
	f.Add(false, "b", []byte("x\n--b\nContent-Type: application/json\nContent-Disposition: form-data;name=place\n\n{\n--b"))
	f.Fuzz(func(t *testing.T, coded bool, boundary string, body []byte) {
		media, contentType := pairs, pairs
		if !coded {
			media, contentType = parts, parts+"; boundary="+boundary
		}
		read := serialize.ReadFormBody(media, all(), nil, contentType, body)
		if read.Malformed != nil || len(read.Reasons) > 0 {
			return
		}
		again, contentType, err := serialize.WriteFormBody(media, all(), nil, read.Value)
		if err != nil {
			return // a name that a part cannot hold
		}
		back := serialize.ReadFormBody(media, all(), nil, contentType, again)
		if len(read.Value.Members) > 0 && !jsontree.Equal(read.Value, back.Value) {
			t.Fatalf("%q is %s, written %q is %s %v", body, read.Value, again, back.Value, back.Reasons)
		}
	})
}
