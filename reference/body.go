package reference

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
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
