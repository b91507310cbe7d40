package redact

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
)

// mostUnpacked bounds what is unpacked of one answer, in bytes.
const mostUnpacked = 64 << 10

// unpacked replaces compressed bytes that contain a secret with their content,
// because an answer that could not be decoded is still compressed. It unpacks one
// layer only: some archives contain themselves.
func (r *Redactor) unpacked(b []byte) []byte {
	for _, p := range []struct {
		magic []byte
		open  func(io.Reader) (io.ReadCloser, error)
	}{
		{[]byte{0x1f, 0x8b, 0x08}, func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
		{[]byte{0x78, 0x01}, zlib.NewReader}, {[]byte{0x78, 0x9c}, zlib.NewReader}, {[]byte{0x78, 0xda}, zlib.NewReader},
	} {
		at := bytes.Index(b, p.magic)
		if at < 0 {
			continue
		}
		in, err := p.open(bytes.NewReader(b[at:]))
		if err != nil {
			continue
		}
		plain, _ := io.ReadAll(io.LimitReader(in, mostUnpacked)) // what can be read is what counts
		if safe := r.unencoded(plain, true); !bytes.Equal(safe, plain) {
			return append(append(bytes.Clone(b[:at]), "(unpacked) "...), safe...)
		}
	}
	return b
}
