package faults

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

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
