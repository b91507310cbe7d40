package variants

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// head changes the head of every response and closes the connection behind it.
func head(f func(string) string) alter.Change {
	return alter.Wire(func(_ *http.Request, resp reference.Response) string {
		top, body, _ := strings.Cut(alter.HTTP(resp), "\r\n\r\n")
		return f(top+"\r\nConnection: close") + "\r\n\r\n" + body
	})
}

// sender writes responses with net/http in a way of its own.
func sender(f func(w http.ResponseWriter, resp reference.Response)) alter.Change {
	return func(s *reference.Stages) {
		s.Send = func(w http.ResponseWriter, _ *http.Request, resp reference.Response) {
			for name, values := range resp.Header {
				w.Header()[name] = values
			}
			w.Header()["Content-Type"] = nil
			if resp.Type != "" {
				w.Header().Set("Content-Type", resp.Type)
			}
			f(w, resp)
		}
	}
}

// pieces writes a body in pieces of n bytes; each goes out as it is written.
func pieces(w http.ResponseWriter, body []byte, n int) {
	out := http.NewResponseController(w)
	for len(body) > 0 {
		piece := body[:min(n, len(body))]
		// Errors mean that the client left.
		_, _ = w.Write(piece)
		_ = out.Flush()
		body = body[len(piece):]
	}
}

// sending sends right answers in other ways that HTTP has.
func sending() []Variant {
	return []Variant{
		{Name: "chunked", Doc: "sends the body in chunks, one for each byte", alter: sender(func(w http.ResponseWriter, resp reference.Response) {
			w.WriteHeader(resp.Status)
			pieces(w, resp.Body, 1)
		})},
		{Name: "chunk-extensions", Doc: "sends chunks with extensions and sizes with leading zeros", alter: alter.Wire(
			func(r *http.Request, resp reference.Response) string {
				if !r.ProtoAtLeast(1, 1) {
					return "" // it cannot read chunks
				}
				top := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n",
					resp.Status, http.StatusText(resp.Status), resp.Type)
				return fmt.Sprintf("%s000%X;name=\"a;b\";last\r\n%s\r\n0;end\r\n\r\n", top, len(resp.Body), resp.Body)
			})},
		{Name: "trailers", Doc: "sends chunks and trailer fields behind them", alter: sender(func(w http.ResponseWriter, resp reference.Response) {
			w.Header().Set("Trailer", "X-Checksum")
			w.WriteHeader(resp.Status)
			pieces(w, resp.Body, 7)
			w.Header().Set("X-Checksum", strconv.Itoa(len(resp.Body)))
		})},
		{Name: "in-pieces", Doc: "sends the body byte by byte under a Content-Length", alter: sender(func(w http.ResponseWriter, resp reference.Response) {
			w.Header().Set("Content-Length", strconv.Itoa(len(resp.Body)))
			w.WriteHeader(resp.Status)
			pieces(w, resp.Body, 1)
		})},
		{Name: "length-beside-chunks", Doc: "announces a length and sends chunks, as proxies that forget to remove one do", Warns: []string{"http-strict-framing"}, alter: alter.Wire(
			func(_ *http.Request, resp reference.Response) string {
				head, _, _ := strings.Cut(alter.HTTP(resp), "\r\n\r\n")
				return head + "\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n", len(resp.Body)) + string(resp.Body) + "\r\n0\r\n\r\n"
			})},
		{Name: "lines-end-with-lf", Doc: "ends the lines of a head with LF alone, as CGI scripts do", Warns: []string{"http-strict-framing"}, alter: alter.Wire(
			func(_ *http.Request, resp reference.Response) string {
				head, _, _ := strings.Cut(alter.HTTP(resp), "\r\n\r\n")
				return strings.ReplaceAll(head, "\r\n", "\n") + "\n\n" + string(resp.Body)
			})},
		{Name: "until-close", Doc: "sends neither length nor chunks; the body ends with the connection", alter: alter.Wire(
			func(_ *http.Request, resp reference.Response) string {
				return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nConnection: close\r\n\r\n%s", resp.Status, http.StatusText(resp.Status), resp.Type, resp.Body)
			})},
		{Name: "http-10", Doc: "answers with HTTP/1.0 and closes, as small embedded servers and CGI do",
			alter: head(func(top string) string { return strings.Replace(top, "HTTP/1.1", "HTTP/1.0", 1) })},
		{Name: "lower-case-headers", Doc: "sends header names in lower case, as proxies that speak HTTP/2 behind do",
			alter: head(func(top string) string {
				line, rest, _ := strings.Cut(top, "\r\n")
				return line + "\r\n" + strings.ToLower(rest)
			})},
		{Name: "tight-headers", Doc: "sends headers without a blank, and others with tabs and blanks around the value",
			alter: head(func(top string) string {
				line, rest, _ := strings.Cut(top, "\r\n")
				return line + "\r\nX-Wide: \t a \t \r\nX-Empty:\r\n" + strings.ReplaceAll(rest, ": ", ":")
			})},
		{Name: "reason-phrase", Doc: "sends reason phrases of its own", alter: head(func(top string) string {
			_, rest, _ := strings.Cut(top, "\r\n")
			return top[:len("HTTP/1.1 200 ")] + "Grünes Blatt (plant store)\r\n" + rest
		})},
		{Name: "no-reason-phrase", Doc: "sends status lines without a reason phrase", alter: head(func(top string) string {
			_, rest, _ := strings.Cut(top, "\r\n")
			return top[:len("HTTP/1.1 200 ")] + "\r\n" + rest
		})},
		{Name: "early-hints", Doc: "sends 103 Early Hints and 102 Processing before every answer", alter: func(s *reference.Stages) {
			next := s.Send
			s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
				w.Header().Set("Link", "</style.css>; rel=preload")
				w.WriteHeader(http.StatusEarlyHints)
				w.WriteHeader(http.StatusProcessing)
				next(w, r, resp)
			}
		}},
		{Name: "continue-unasked", Doc: "sends 100 Continue whether it was asked for or not", alter: alter.Handler(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Expect") == "" {
					w.WriteHeader(http.StatusContinue)
				}
				next.ServeHTTP(w, r)
			})
		})},
		{Name: "closes", Doc: "closes every connection after one answer, and says so", alter: headers(http.Header{"Connection": {"close"}})},
		{Name: "closes-silently", Doc: "closes every connection after one answer without a word, as some gateways do",
			alter: alter.Wire(func(_ *http.Request, resp reference.Response) string { return alter.HTTP(resp) })},
		{Name: "closes-after-refusal", Doc: "closes the connection after each refusal without a word", alter: alter.Wire(
			func(_ *http.Request, resp reference.Response) string {
				if resp.Status == http.StatusOK {
					return ""
				}
				return alter.HTTP(resp)
			})},
		{Name: "closes-after-three", Doc: "closes a connection without a word after its third answer", alter: alter.Handler(closesAfter(3))},
		{Name: "out-of-time", Doc: "closes each connection after one answer, and answers 408 to a request in 200, as a busy server whose clock ran on", alter: outOfTime},
		{Name: "answers-early", Doc: "refuses credentials before the body is read, and closes", alter: alter.Handler(answersEarly)},
	}
}

// outOfTime answers 408 now and then, on a connection of its own: what came too
// late differs from run to run (RFC 9110, 15.5.9).
func outOfTime(s *reference.Stages) {
	var n atomic.Int64
	alter.Wire(func(_ *http.Request, resp reference.Response) string {
		if n.Add(1)%200 == 0 {
			return "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
		}
		return alter.HTTP(resp)
	})(s)
}

// answersEarly is how code looks that refuses first and never reads on; the
// server closes the connection where much is unread.
func answersEarly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header.Values("Authorization")) > 0 {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Connection", "close")
		resp := reference.Refuse(&reference.Refusal{Kind: reference.Credential, Reason: "a bearer token is required"})
		reference.Send(w, r, resp)
	})
}

// closesAfter counts answers by the address of the client.
func closesAfter(n int) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		counts := newCounter()
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if counts.add(r.RemoteAddr)%n != 0 {
				next.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(&closing{ResponseWriter: w}, r)
		})
	}
}

// closing hijacks the connection when the answer is written, writes it as if
// the connection stayed open, and closes it.
type closing struct {
	http.ResponseWriter
	status int
}

func (c *closing) WriteHeader(status int) { c.status = status }

func (c *closing) Write(body []byte) (int, error) {
	conn, buffered, err := http.NewResponseController(c.ResponseWriter).Hijack()
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	resp := reference.Response{Status: c.status, Type: c.Header().Get("Content-Type"), Body: body}
	_, _ = io.WriteString(buffered, alter.HTTP(resp))
	return len(body), buffered.Flush()
}
