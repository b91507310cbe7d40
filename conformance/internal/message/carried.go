package message

import (
	"bytes"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
)

// carriage is how a body travels, as its framing says (RFC 9112, 6.3).
type carriage struct {
	body  []byte
	known bool // the body is what every server has to take for it
	// closes reports whether a server may close the connection without an answer, and
	// waits whether it may wait for more.
	closes, waits bool
}

// isFraming reports whether a field says how a body is framed.
func isFraming(name string) bool {
	return strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Transfer-Encoding")
}

// carried reads what follows a head.
func carried(head, after []byte) carriage {
	fields, _ := headFields(head)
	var lengths, codings []string
	for _, f := range fields {
		switch lower(f.Name) {
		case "content-length":
			lengths = append(lengths, strings.Split(f.Value, ",")...)
		case "transfer-encoding":
			codings = append(codings, f.Value)
		}
	}
	switch {
	case len(codings) > 0 && (versionOf(head) == "HTTP/1.0" || !strings.EqualFold(strings.Join(codings, ","), "chunked")):
		return carriage{closes: true, waits: true}
	case len(codings) > 0:
		c := unchunked(after)
		if len(lengths) > 0 {
			c.closes, c.waits = true, true // a server that takes the length may wait for it
		}
		return c
	case len(lengths) > 0:
		return measured(lengths, after)
	}
	return carriage{known: true, closes: len(after) > 0}
}

// measured reads as many bytes as the lengths say.
func measured(lengths []string, after []byte) carriage {
	n := -1
	for _, text := range lengths {
		text = strings.Trim(text, " \t")
		v, err := strconv.ParseUint(text, 10, 62)
		switch {
		case err != nil:
			return carriage{closes: true, waits: exceeds(text, len(after))}
		case v > uint64(len(after)):
			return carriage{closes: true, waits: true}
		case n >= 0 && n != int(v):
			return carriage{closes: true}
		}
		n = int(v)
	}
	return carriage{body: after[:n], known: true, closes: len(lengths) > 1 || n < len(after)}
}

// exceeds reports whether code that reads the digits in a text that is no number may wait
// for more bytes than there are.
func exceeds(text string, most int) bool {
	base := 10
	if strings.ContainsAny(text, "xX") {
		base = 16
	}
	digits := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, text)
	n, err := strconv.ParseUint(digits, base, 62)
	return digits != "" && (err != nil || n > uint64(most))
}

// unchunked reads chunks. Code that reads them in another way may wait for more.
func unchunked(after []byte) carriage {
	src := bytes.NewReader(append([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), after...))
	e := exchange.ReadResponse(src, &exchange.Request{Method: "POST", BodyLimit: len(after) + 1}, exchange.DefaultLimits())
	if e.Failure != nil {
		return carriage{closes: true, waits: true}
	}
	size, _, _ := bytes.Cut(after, []byte("\r\n"))
	odd := bytes.Contains(size, []byte(";")) || len(e.Response.Trailers) > 0 // no usual client sends that
	return carriage{body: e.Response.Body, known: true, closes: e.Response.Surplus != nil || odd}
}
