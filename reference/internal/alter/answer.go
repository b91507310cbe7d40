package alter

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
)

// Echo changes the plant that is answered, not the one that is stored.
func Echo(f func(*reference.Plant)) Change {
	return func(s *reference.Stages) {
		next := s.Answer
		s.Answer = func(p reference.Plant) reference.Response {
			f(&p)
			return next(p)
		}
	}
}

// Name changes the name that is answered.
func Name(f func(string) string) Change {
	return Echo(func(p *reference.Plant) { p.Name = f(p.Name) })
}

// Tag changes the tag that is answered, where there is one.
func Tag(f func(string) string) Change {
	return Echo(func(p *reference.Plant) {
		if p.Tag != nil {
			tag := f(*p.Tag)
			p.Tag = &tag
		}
	})
}

// Success changes the response to an accepted plant.
func Success(f func(reference.Plant, *reference.Response)) Change {
	return func(s *reference.Stages) {
		next := s.Answer
		s.Answer = func(p reference.Plant) reference.Response {
			resp := next(p)
			f(p, &resp)
			return resp
		}
	}
}

// SuccessBody changes the body of the response to an accepted plant.
func SuccessBody(f func(p reference.Plant, body string) string) Change {
	return Success(func(p reference.Plant, resp *reference.Response) { resp.Body = []byte(f(p, string(resp.Body))) })
}

// Refusal changes the response to a refused request.
func Refusal(f func(*reference.Refusal, *reference.Response)) Change {
	return func(s *reference.Stages) {
		next := s.Refuse
		s.Refuse = func(err error) reference.Response {
			resp := next(err)
			f(reference.AsRefusal(err), &resp)
			return resp
		}
	}
}

// RefusalBody changes the body of the response to a refused request.
func RefusalBody(f func(why *reference.Refusal, body string) string) Change {
	return Refusal(func(why *reference.Refusal, resp *reference.Response) {
		resp.Body = []byte(f(why, string(resp.Body)))
	})
}

// Quote gives a JSON string.
func Quote(text string) string {
	// The one error is invalid UTF-8, which comes out as U+FFFD.
	quoted, _ := jsontext.AppendQuote(nil, text)
	return string(quoted)
}

// Message gives the text of a refusal as a JSON string.
func Message(why *reference.Refusal) string { return Quote(why.Error()) }

// HTTP gives a response as it goes over the wire.
func HTTP(resp reference.Response) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", resp.Status, http.StatusText(resp.Status))
	if resp.Type != "" {
		fmt.Fprintf(&b, "Content-Type: %s\r\n", resp.Type)
	}
	for name, values := range resp.Header {
		for _, v := range values {
			fmt.Fprintf(&b, "%s: %s\r\n", name, v)
		}
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(resp.Body), resp.Body)
	return b.String()
}

// Zipped compresses a body.
func Zipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	// Writing to a buffer does not fail.
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// Wire writes each response as the bytes that f gives, and closes the
// connection, unless f gives nothing: then the response is sent as usual.
func Wire(f func(r *http.Request, resp reference.Response) string) Change {
	return func(s *reference.Stages) {
		next := s.Send
		s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
			raw := f(r, resp)
			if raw == "" {
				next(w, r, resp)
				return
			}
			write(w, raw)
		}
	}
}

func write(w http.ResponseWriter, raw string) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		// Without a connection of its own the nearest thing is no answer.
		panic(http.ErrAbortHandler)
	}
	defer conn.Close()
	// Errors mean that the client left.
	_, _ = io.WriteString(buffered, raw)
	_ = buffered.Flush()
}
