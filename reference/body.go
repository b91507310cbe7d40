package reference

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
)

// body is the body of one request, held, together with all other bodies in
// memory, to maxBodies. A client that only says that it will
// send much costs nothing until it does.
type body struct {
	io.ReadCloser
	shared *atomic.Int64
	read   int64
}

// Read implements [io.Reader]. The bytes that it counts stay counted until
// release.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	before := max(b.read, smallBody)
	b.read += int64(n)
	if more := max(b.read, smallBody) - before; more > 0 && b.shared.Add(more) > maxBodies {
		return n, &Refusal{Kind: Busy, Reason: "too many large requests at once: try again later"}
	}
	return n, err
}

// release gives back what was read, whatever a stage did with r.Body.
func (b *body) release() { b.shared.Add(min(smallBody-b.read, 0)) }

// Read takes the whole body, up to [MaxBody].
func Read(_ http.ResponseWriter, r *http.Request) ([]byte, error) {
	// What a client says of the length is believed no further than this. One
	// byte more lets the end be seen without growing.
	data := make([]byte, 0, min(max(r.ContentLength, 0), smallBody)+1)
	for {
		n, err := r.Body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > MaxBody:
			return nil, &Refusal{Kind: Size, Reason: "the request body is longer than 1 MiB"}
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, unread(err)
		case len(data) == cap(data):
			data = slices.Grow(data, 512)
		}
	}
}

// unread is the refusal of a body that did not come to its end. The cause may
// hold addresses, so it is not passed on.
func unread(err error) error {
	var busy *Refusal
	if errors.As(err, &busy) {
		return busy
	}
	return &Refusal{Kind: Syntax, Reason: "the request body could not be read to its end"}
}

// drain reads what a refusal left unread, past the count of what is kept.
func drain(r *http.Request) {
	from := r.Body
	if b, counted := from.(*body); counted {
		from = b.ReadCloser
	}
	_, _ = io.CopyN(io.Discard, from, maxDrain)
}

var (
	errWhole = errors.New("must be an integer")
	errRange = errors.New("must be within int64")
)

// wholeNumber is an int64 that takes every JSON number whose value is whole,
// such as 1.0 and 1e2: to JSON Schema these are integers (draft 2020-12,
// validation, 6.1.1), which plain Go decoding refuses.
type wholeNumber int64

// UnmarshalJSONFrom implements [json.UnmarshalerFrom].
func (n *wholeNumber) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	text, err := d.ReadValue()
	if err != nil {
		return err
	}
	if text.Kind() != '0' {
		return errWhole
	}
	v, err := parseWhole(string(text))
	*n = wholeNumber(v)
	return err
}

// maxDigits is the most digits an int64 has.
const maxDigits = 19

// parseWhole gives the exact value of a JSON number. It works on the digits,
// never on a float, and in time linear in the text, whatever the exponent.
func parseWhole(text string) (int64, error) {
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return 0, nil
	}
	scale, err := parseScale(exponent)
	if err != nil {
		return 0, err
	}
	scale -= len(fraction)
	significant := strings.TrimRight(digits, "0")
	scale += len(digits) - len(significant)
	switch {
	case scale < 0:
		return 0, errWhole
	case len(significant)+scale > maxDigits:
		return 0, errRange
	}
	significant += strings.Repeat("0", scale)
	if negative {
		significant = "-" + significant
	}
	v, err := strconv.ParseInt(significant, 10, 64)
	if err != nil {
		return 0, errRange
	}
	return v, nil
}

// maxExponent bounds what is computed with. A body is at most [MaxBody] bytes
// long, so no number of digits in it makes up for a larger exponent.
const maxExponent = 1 << 30

func parseScale(exponent string) (int, error) {
	if exponent == "" {
		return 0, nil
	}
	scale, err := strconv.Atoi(exponent)
	switch {
	case err != nil && exponent[0] == '-', scale < -maxExponent:
		return 0, errWhole
	case err != nil, scale > maxExponent:
		return 0, errRange
	}
	return scale, nil
}
