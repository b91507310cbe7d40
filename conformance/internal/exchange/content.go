package exchange

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// decoder undoes content codings. Its pool keeps gzip's 40 KiB of state.
type decoder struct{ gzips sync.Pool }

// The reasons in Response.ContentErr; it may wrap them with the coding's name.
var (
	ErrUnknownCoding   = errors.New("unknown content coding")
	ErrCorruptContent  = errors.New("content does not match its coding")
	ErrContentTooLarge = errors.New("content above the limit")
)

// decode sets Coding, Content and ContentErr (RFC 9110, 8.4).
func (d *decoder) decode(resp *Response, limit, layers int) {
	resp.Content = resp.Body
	var codings []string
	for i := range resp.Fields {
		f := &resp.Fields[i]
		if len(f.Name) != len("Content-Encoding") || !strings.EqualFold(f.Name, "Content-Encoding") {
			continue
		}
		for item := range strings.SplitSeq(f.Value, ",") {
			if item = strings.ToLower(trimOWS(item)); item != "" && item != "identity" {
				codings = append(codings, item)
			}
		}
	}
	if len(codings) == 0 {
		return
	}
	resp.Coding = strings.Join(codings, ", ")
	if len(resp.Body) == 0 {
		if resp.Framing != None {
			resp.odd(OddEmptyCoding)
		}
		return
	}
	if len(codings) > layers {
		resp.Content, resp.ContentErr = nil, fmt.Errorf("%w: %d codings in a row", ErrUnknownCoding, len(codings))
		return
	}
	for i := len(codings) - 1; i >= 0 && resp.ContentErr == nil; i-- { // applied in order, undone from the last
		resp.Content, resp.ContentErr = d.undo(codings[i], resp.Content, limit)
	}
}

// undo decodes one coding to at most limit bytes.
func (d *decoder) undo(coding string, in []byte, limit int) ([]byte, error) {
	var src io.Reader
	var err error
	switch coding {
	case "gzip", "x-gzip":
		z, _ := d.gzips.Get().(*gzip.Reader)
		if z == nil {
			z = new(gzip.Reader)
		}
		defer d.gzips.Put(z)
		src, err = z, z.Reset(bytes.NewReader(in))
	case "deflate": // zlib by the letter (RFC 9110, 8.4.1.2), raw by habit
		if len(in) > 1 && in[0]&0x0f == 8 && (int(in[0])<<8|int(in[1]))%31 == 0 {
			src, err = zlib.NewReader(bytes.NewReader(in))
		} else {
			src = flate.NewReader(bytes.NewReader(in))
		}
	default:
		return nil, fmt.Errorf("%w %q", ErrUnknownCoding, coding)
	}
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrCorruptContent, coding, err)
	}
	out, err := io.ReadAll(io.LimitReader(src, int64(limit)+1))
	switch {
	case len(out) > limit:
		return nil, ErrContentTooLarge
	case err != nil:
		return nil, fmt.Errorf("%w %s: %w", ErrCorruptContent, coding, err)
	}
	return out, nil
}
