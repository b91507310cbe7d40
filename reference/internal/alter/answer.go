package alter

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
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

// orderField is added to the head of each request: net/http forgets the order.
const orderField = "X-Order-Of-Fields"

// Order returns the names of the fields of a request in lower case, in the order in
// which they came. There are none without [KeepOrder], or if the head came in pieces.
func Order(r *http.Request) []string {
	return strings.Fields(strings.ReplaceAll(r.Header.Get(orderField), ",", " "))
}

// Before reports whether a field came before another one, if both came.
func Before(r *http.Request, first, second string) bool {
	order := Order(r)
	i, j := slices.Index(order, first), slices.Index(order, second)
	return i >= 0 && i < j
}

// KeepOrder lets stages ask for the order of the fields of a request.
func KeepOrder(s *reference.Stages) { Heads(withOrder)(s) }

// Heads changes the heads of requests, without their empty line, before net/http
// reads them, but for those that come in pieces.
func Heads(f func(head string) string) Change {
	return posts(func(head, rest []byte) []byte { return slices.Concat([]byte(f(string(head))+"\r\n\r\n"), rest) })
}

// Chunks changes the chunks of request bodies that come in one piece with their heads.
func Chunks(f func(chunk []byte) []byte) Change {
	return posts(func(head, rest []byte) []byte {
		out := append(slices.Clone(head), "\r\n\r\n"...)
		if !bytes.Contains(head, []byte("\r\nTransfer-Encoding: chunked")) {
			return append(out, rest...)
		}
		for {
			line, behind, _ := bytes.Cut(rest, []byte("\r\n"))
			n, err := strconv.ParseUint(string(line), 16, 31)
			if err != nil || n == 0 || int(n) > len(behind) {
				return append(out, rest...)
			}
			chunk := f(behind[:n])
			out = fmt.Appendf(out, "%x\r\n%s", len(chunk), chunk)
			end := min(int(n)+2, len(behind))
			out, rest = append(out, behind[n:end]...), behind[end:]
		}
	})
}

// posts changes the bytes of requests before net/http reads them.
func posts(f func(head, rest []byte) []byte) Change {
	return Segments(func(b []byte) []byte {
		head, rest, whole := bytes.Cut(b, []byte("\r\n\r\n"))
		if !whole || !bytes.HasPrefix(b, []byte("POST ")) {
			return b
		}
		return f(head, rest)
	})
}

// withOrder adds the field that names the others.
func withOrder(head string) string {
	var names []string
	for _, line := range strings.Split(head, "\r\n")[1:] {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, strings.ToLower(name))
	}
	return head + "\r\n" + orderField + ": " + strings.Join(names, ",")
}
