package faults

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// framings fails on versions of HTTP and on how the bytes of requests are cut into
// messages.
func framings() []Fault {
	old := func(r *http.Request) bool { return r.ProtoMajor == 1 && r.ProtoMinor == 0 }
	return []Fault{
		{Name: "http-10-dropped", Breaks: answered, Rare: true, Doc: "closes the connection on a request of HTTP/1.0 that asks to keep it",
			alter: alter.When(func(r *http.Request, _ []byte) bool { return old(r) && !r.Close }, alter.Leave)},
		{Name: "http-10-unchecked", Breaks: bearerRequired, Rare: true, Doc: "asks for no credential in HTTP/1.0, which the health checks of load balancers speak",
			alter: letIn(func(r *http.Request) bool { return old(r) && len(r.Header.Values("Authorization")) == 0 }, every(1))},

		{Name: "negative-length-dies", Breaks: answered, Rare: true, Doc: "never answers again after a negative Content-Length, as a worker that takes so much memory does", alter: diesOf(func(r *alter.Request) bool {
			return slices.ContainsFunc(r.Values("Content-Length"), func(v string) bool { return strings.HasPrefix(v, "-") })
		})},
		{Name: "length-ignored", Breaks: bodyJSON, Also: []string{validAccepted}, Rare: true, Doc: "takes what came for the body where that is more than Content-Length says, as code that reads what is there does", alter: alter.Segments(func(b []byte) []byte {
			r, ok := alter.Whole(b)
			if list := r.Values("Content-Length"); ok && len(list) == 1 {
				if n, err := strconv.Atoi(list[0]); err == nil && n >= 0 && n < len(r.After) {
					r.Set("Content-Length", strconv.Itoa(len(r.After)))
					return r.Bytes()
				}
			}
			return b
		})},

		together("pipelined-swapped", echoName, "answers the first two of more than three requests in one piece in the opposite order, as handlers that run at the same time do",
			func(list []alter.Request) []alter.Request {
				if len(list) > 3 {
					list[0], list[1] = list[1], list[0]
				}
				return list
			}),
		together("pipelined-swallowed", answered, "reads one request and forgets what came in the same piece behind it",
			func(list []alter.Request) []alter.Request { return list[:1] }),
		together("pipelined-unchecked", bearerRequired, "asks for no credential behind a valid one in the same piece", func(list []alter.Request) []alter.Request {
			first := list[0].Values("Authorization")
			for i := range list[1:] {
				if r := &list[i+1]; len(first) > 0 && len(r.Values("Authorization")) == 0 {
					r.Set("Authorization", first[0])
				}
			}
			return list
		}),

		{Name: "patience-short", Breaks: validAccepted, Rare: true, Doc: "waits 50 ms for the rest of a body and then takes what came for all of it", alter: impatient},
		{Name: "body-in-four-parts", Breaks: validAccepted, Rare: true, Doc: "reads four parts of a body and takes them for all of it, as a loop with a bound does", alter: fourParts},
		{Name: "characters-by-piece", Breaks: validAccepted, Rare: true, Doc: "refuses a body whose pieces end inside a character, because each piece is decoded by itself", alter: byPiece},
		{Name: "line-end-apart", Breaks: answered, Rare: true, Doc: "closes the connection where CR and LF do not come together, as parsers that look for both at once do", alter: alter.Segments(func(b []byte) []byte {
			if b[0] == '\n' {
				return nil
			}
			return b
		})},
		{Name: "half-closed-500", Breaks: answered, Rare: true, Doc: "answers 500 where the client has ended its half of the connection, because the request counts as cancelled",
			alter: alter.When(func(r *http.Request, _ []byte) bool { return alter.Left(r) }, alter.Give(alter.Page(http.StatusInternalServerError)))},
	}
}

// impatient reads a body for so long.
func impatient(s *reference.Stages) {
	s.Read = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
		wait := http.NewResponseController(w)
		_ = wait.SetReadDeadline(time.Now().Add(50 * time.Millisecond)) // fails on a closed connection, which the reading shows
		b, err := io.ReadAll(io.LimitReader(r.Body, reference.MaxBody+1))
		_ = wait.SetReadDeadline(time.Time{})
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = nil
		}
		return b, err
	}
}

// fourParts reads a body as it comes, so often.
func fourParts(s *reference.Stages) {
	s.Read = func(_ http.ResponseWriter, r *http.Request) ([]byte, error) {
		var b []byte
		part := make([]byte, reference.MaxBody+1)
		for range 4 {
			n, err := r.Body.Read(part)
			b = append(b, part[:n]...)
			if err != nil {
				break // the end, or a client that left
			}
		}
		return b, nil
	}
}

// byPiece reads a body as it comes and decodes each piece.
func byPiece(s *reference.Stages) {
	s.Read = func(_ http.ResponseWriter, r *http.Request) ([]byte, error) {
		var b []byte
		part := make([]byte, reference.MaxBody+1)
		for {
			n, err := r.Body.Read(part)
			if b = append(b, part[:n]...); !utf8.Valid(part[:n]) {
				return append(b, 0xff), nil
			}
			if err != nil {
				return b, nil // the end, or a client that left
			}
		}
	}
}

// together changes several requests that came in one piece.
func together(name, breaks, doc string, change func([]alter.Request) []alter.Request) Fault {
	return Fault{Name: name, Breaks: breaks, Doc: doc, Rare: true, alter: alter.Segments(func(b []byte) []byte {
		if list, ok := alter.Split(b); ok && len(list) > 1 {
			return alter.Join(change(list))
		}
		return b
	})}
}

// diesOf closes every connection without an answer from the first such request on.
func diesOf(which func(*alter.Request) bool) alter.Change {
	return func(s *reference.Stages) {
		var dead atomic.Bool
		alter.Segments(func(b []byte) []byte {
			if r, ok := alter.Whole(b); ok && which(&r) {
				dead.Store(true)
			}
			if dead.Load() {
				return nil
			}
			return b
		})(s)
	}
}

// blocks reads the body in blocks and stumbles over what stands across their ends.
func blocks() []Fault {
	body := func(name, breaks, doc string, f func([]byte) []byte) Fault {
		return Fault{Name: name, Breaks: breaks, Doc: doc, Rare: true, alter: alter.Body(f)}
	}
	fails := func(name, doc string, fatal func([]byte) bool) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.Looked(func(b []byte) error {
			if fatal(b) {
				return alter.Crash()
			}
			return nil
		})}
	}
	return []Fault{
		body("block-characters-replaced", echoName, "decodes each 1024 bytes of the body by themselves, so that a character across them becomes U+FFFD, as Node code that adds up chunks as strings does",
			func(b []byte) []byte { return inBlocks(b, 1024, "\ufffd") }),
		body("block-characters-lost", echoName, "loses a character across two blocks of 4096 bytes, as decoders that ignore what is left over do",
			func(b []byte) []byte { return inBlocks(b, 4096, "") }),
		body("block-of-8-kilobytes", echoName, "decodes each 8 KiB of the body by themselves",
			func(b []byte) []byte { return inBlocks(b, 8192, "\ufffd") }),
		{Name: "chunk-characters-replaced", Breaks: echoName, Rare: true, Doc: "decodes each chunk of the body by itself, as data handlers that append text do",
			alter: alter.Chunks(func(chunk []byte) []byte { return bytes.ToValidUTF8(chunk, []byte("\ufffd")) })},
		body("block-escape-refused", validAccepted, "takes an escape across two blocks of 512 bytes for the end of the text, because it looks for four digits in the block",
			func(b []byte) []byte {
				for n := 512; n < len(b); n += 512 {
					if i := bytes.LastIndexByte(b[:n], '\\'); i >= 0 && b[i+1] == 'u' && n-i < 6 {
						return b[:n]
					}
				}
				return b
			}),
		body("block-pair-replaced", echoName, "makes two U+FFFD of a surrogate pair across two blocks of 2048 bytes",
			func(b []byte) []byte {
				const n = 2048
				if len(b) > n+6 && b[n-6] == '\\' && b[n] == '\\' && bytes.EqualFold(b[n-5:n-3], []byte("ud")) {
					return slices.Concat(b[:n-6], []byte(`\ufffd\ufffd`), b[n+6:])
				}
				return b
			}),
		body("block-number-refused", validAccepted, "ends a number where a block of 256 bytes ends, as tokenizers without a look at the next block do",
			func(b []byte) []byte {
				const n = 256
				if len(b) > n && digit(b[n-1]) && digit(b[n]) && bytes.Count(b[:n], []byte(`"`))%2 == 0 {
					return slices.Concat(b[:n], []byte(" "), b[n:])
				}
				return b
			}),
		fails("exact-buffer-500", "answers 500 to a body of exactly 2048 bytes, because its buffer has no room for the closing zero", func(b []byte) bool { return len(b) == 2048 }),
		fails("beyond-buffer-500", "answers 500 to a body of 4097 bytes, because it asks for one more block than there is", func(b []byte) bool { return len(b) == 4097 }),
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// inBlocks decodes each block by itself, and puts a text in the place of each piece of
// a character that two of them share.
func inBlocks(b []byte, size int, with string) []byte {
	if !utf8.Valid(b) {
		return b
	}
	var out []byte
	for block := range slices.Chunk(b, size) {
		out = append(out, bytes.ToValidUTF8(block, []byte(with))...)
	}
	return out
}

const framing = "post-plants-framing"

// onWire writes successes as bytes of its own.
func onWire(f func(resp reference.Response) string) alter.Change {
	return alter.Wire(func(_ *http.Request, resp reference.Response) string {
		if resp.Status != http.StatusOK {
			return ""
		}
		return f(resp)
	})
}

// edited writes successes with one text of the head replaced.
func edited(old, replacement string) alter.Change {
	return onWire(func(resp reference.Response) string {
		return strings.Replace(alter.HTTP(resp), old, replacement, 1)
	})
}

// head is a response head without a length.
const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// wire writes what is no HTTP, or not the whole of it.
func wire() []Fault {
	return []Fault{
		{Name: "length-too-long", Breaks: framing, Also: []string{answered}, Doc: "announces more bytes than it sends, as a proxy that compresses and keeps the length does",
			alter: onWire(func(resp reference.Response) string {
				return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(resp.Body)+10, resp.Body)
			})},
		{Name: "length-too-short", Breaks: framing, Also: []string{okJSON}, Doc: "announces fewer bytes than it sends, by one",
			alter: onWire(func(resp reference.Response) string {
				return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(resp.Body)-1, resp.Body)
			})},
		{Name: "length-in-characters", Breaks: framing, Also: []string{okJSON}, Rare: true, Doc: "announces the number of characters for that of bytes, as Node code with body.length does",
			alter: onWire(func(resp reference.Response) string {
				if n := utf8.RuneCount(resp.Body); n != len(resp.Body) {
					return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, n, resp.Body)
				}
				return ""
			})},
		{Name: "length-no-number", Breaks: framing, Doc: "sends a Content-Length that is no number",
			alter: onWire(func(resp reference.Response) string {
				return fmt.Sprintf("%sContent-Length: undefined\r\n\r\n%s", head, resp.Body)
			})},
		{Name: "two-lengths", Breaks: framing, Doc: "sends two Content-Length headers that differ",
			alter: onWire(func(resp reference.Response) string {
				return fmt.Sprintf("%sContent-Length: %d\r\nContent-Length: 0\r\n\r\n%s", head, len(resp.Body), resp.Body)
			})},
		{Name: "chunk-size-garbage", Breaks: framing, Doc: "sends a chunk size that is no hexadecimal number",
			alter: onWire(func(resp reference.Response) string {
				return fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\nsize=%d\r\n%s\r\n0\r\n\r\n", head, len(resp.Body), resp.Body)
			})},
		{Name: "chunks-without-end", Breaks: framing, Also: []string{answered}, Doc: "closes the connection without a last chunk, as handlers that die while they stream do",
			alter: onWire(func(resp reference.Response) string {
				return fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", head, len(resp.Body), resp.Body)
			})},
		{Name: "chunked-in-name-only", Breaks: framing, Doc: "announces chunks and sends the body as it is",
			alter: onWire(func(resp reference.Response) string {
				return fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%s", head, resp.Body)
			})},
		{Name: "status-line-garbled", Breaks: framing, Doc: "sends a status line without a number", alter: edited("HTTP/1.1 200 OK", "HTTP/1.1 OK")},
		{Name: "status-line-missing", Breaks: framing, Doc: "sends headers without a status line, as CGI scripts behind a bad gateway do", alter: edited("HTTP/1.1 200 OK\r\n", "")},
		{Name: "head-missing", Breaks: framing, Doc: "sends nothing but the JSON", alter: onWire(func(resp reference.Response) string { return string(resp.Body) })},
		{Name: "header-without-colon", Breaks: framing, Doc: "sends a line without a colon among its headers",
			alter: edited("Content-Length", "Warning\r\nContent-Length")},
		{Name: "refusal-without-head", Breaks: framing, Rare: true, Doc: "sends plain text without a head where the body is not JSON, as printing to the wrong stream does",
			alter: func(s *reference.Stages) {
				alter.Refusal(func(why *reference.Refusal, resp *reference.Response) {
					if why.Kind == reference.Syntax {
						resp.Header = http.Header{"X-Syntax": nil}
					}
				})(s)
				alter.Wire(func(_ *http.Request, resp reference.Response) string {
					if _, syntax := resp.Header["X-Syntax"]; syntax {
						return "Error: unexpected token\n    at parse\n"
					}
					return ""
				})(s)
			}},
		{Name: "missing-length-in-characters", Breaks: framing, Rare: true, Also: []string{badJSON}, Doc: "quotes the body where a member is missing, and announces the number of characters for that of bytes",
			alter: alter.All(
				alter.Undecoded(func(body []byte, why *reference.Refusal) (reference.Plant, error) {
					if why.Kind != reference.Missing || utf8.RuneCount(body) == len(body) || !utf8.Valid(body) {
						return reference.Plant{}, why
					}
					quoting := *why
					quoting.Reason += " in " + string(body)
					resp := reference.Refuse(&quoting)
					resp.Header = http.Header{"X-Short": nil}
					return reference.Plant{}, (*alter.Instead)(&resp)
				}),
				alter.Wire(func(_ *http.Request, resp reference.Response) string {
					if _, short := resp.Header["X-Short"]; !short {
						return ""
					}
					return fmt.Sprintf("HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", utf8.RuneCount(resp.Body), resp.Body)
				}))},
		{Name: "head-cut-off", Breaks: framing, Also: []string{answered}, Doc: "closes the connection in the middle of the head",
			alter: onWire(func(reference.Response) string { return head })},
	}
}
