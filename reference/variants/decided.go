package variants

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/rangetable"

	"plantstore/reference/internal/alter"
)

// unicode9 is what a library of 2016 calls assigned.
var unicode9 = rangetable.Assigned("9.0.0")

// wideText reads a body in UTF-16 or UTF-32 by its zeros or its mark, as Jackson
// and JSON::PP do; other bodies stay as they are.
func wideText(b []byte) []byte {
	if len(b) < 4 {
		return b
	}
	var units []uint16
	switch {
	case b[0] == 0 && b[1] == 0, b[2] == 0 && b[3] == 0:
		big := b[0] == 0
		var out strings.Builder
		for ; len(b) >= 4; b = b[4:] {
			c := rune(b[3])<<24 | rune(b[2])<<16 | rune(b[1])<<8 | rune(b[0])
			if big {
				c = rune(b[0])<<24 | rune(b[1])<<16 | rune(b[2])<<8 | rune(b[3])
			}
			out.WriteRune(c)
		}
		return []byte(strings.TrimPrefix(out.String(), "\ufeff"))
	case b[0] == 0, b[0] == 0xfe && b[1] == 0xff:
		for ; len(b) >= 2; b = b[2:] {
			units = append(units, uint16(b[0])<<8|uint16(b[1]))
		}
	case b[1] == 0, b[0] == 0xff && b[1] == 0xfe:
		for ; len(b) >= 2; b = b[2:] {
			units = append(units, uint16(b[1])<<8|uint16(b[0]))
		}
	default:
		return b
	}
	return []byte(strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff"))
}

// headSize is about what the fields of a request take.
func headSize(r *http.Request) int {
	n := 0
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v) + 4
		}
	}
	return n
}

func longCredential(r *http.Request, _ []byte) bool {
	return len(r.Header.Get("Authorization")) > 1<<10
}

// decided are servers about which the contract and the RFCs left a doubt, decided
// in their favour.
func decided() []Variant {
	newer := func(text string) bool {
		return strings.ContainsFunc(text, func(c rune) bool { return !unicode.Is(unicode9, c) })
	}
	large := headers(http.Header{"X-Policy": {strings.Repeat("p", 200<<10)}})
	return []Variant{
		{Name: "unicode-9", Doc: "refuses characters in names and tags that Unicode 9.0 does not assign, as libraries of 2016 do",
			alter: alter.All(refusesName("has an unassigned character", newer), refusesTag("has an unassigned character", newer))},
		{Name: "utf16-detected", Doc: "takes bodies in UTF-16 and UTF-32, as Jackson and JSON::PP do", alter: alter.Body(wideText)},
		{Name: "only-if-cached-504", Doc: "answers 504 to Cache-Control: only-if-cached, as caches in front do (RFC 9111, 5.2.1.7)",
			alter: refusedWhen(http.StatusGatewayTimeout, header("Cache-Control", func(v string) bool { return v == "only-if-cached" }))},
		{Name: "large-head-closed", Doc: "closes the connection without an answer where the fields of a request take more than 16 KiB",
			alter: alter.All(tune(func(hs *http.Server) { hs.MaxHeaderBytes = 128 << 10 }),
				alter.When(func(r *http.Request, _ []byte) bool { return headSize(r) > 16<<10 }, alter.Leave))},
		{Name: "long-credential-page", Doc: "answers wrong credentials above 1 kB with 400 and a page, as servers with small header buffers do",
			alter: refusedLong(alter.Page(http.StatusBadRequest))},
		{Name: "long-credential-closed", Doc: "closes the connection without an answer to wrong credentials above 1 kB", alter: alter.When(longCredential, alter.Leave)},
		{Name: "large-answer-head", Doc: "answers with 200 KiB of header fields, as long policies and many cookies make", alter: large},
	}
}

// refusedLong answers wrong credentials above 1 kB with a page.
func refusedLong(page *alter.Instead) alter.Change {
	return alter.When(longCredential, alter.Give(page))
}
