package faults

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference/internal/alter"
)

// readAtOnce is what a reader asks for first.
const readAtOnce = 512

// surroundings takes more than one JSON value, or text around it.
func surroundings() []Fault {
	return []Fault{
		{Name: "trailing-text", Breaks: bodyJSON,
			Doc:   "reads one value and ignores everything behind it, as Go's Decoder.Decode does",
			alter: alter.Body(cut)},
		{Name: "second-value", Breaks: bodyJSON,
			Doc: "takes the first of several values, as newline-delimited JSON readers do",
			alter: alter.Body(func(b []byte) []byte {
				n := firstValue(b)
				if rest := b[n:]; firstValue(rest) > 0 && len(bytes.TrimSpace(rest[firstValue(rest):])) == 0 {
					return b[:n]
				}
				return b
			})},
		{Name: "extra-closing-bracket", Breaks: bodyJSON, Rare: true,
			Doc: "takes one closing bracket too many, as readers that stop at the matching one do",
			alter: alter.Body(func(b []byte) []byte {
				n := firstValue(b)
				if rest := string(bytes.TrimSpace(b[n:])); rest == "}" || rest == "]" {
					return b[:n]
				}
				return b
			})},
		{Name: "trailing-comma-behind", Breaks: bodyJSON, Rare: true,
			Doc: "takes a comma behind the whole value, as readers of concatenated log lines do",
			alter: alter.Body(func(b []byte) []byte {
				return bytes.TrimSuffix(bytes.TrimRight(b, " \t\r\n"), []byte(","))
			})},
		{Name: "wide-space-around", Breaks: bodyJSON, Rare: true,
			Doc:   "trims all white space of Unicode around the body, as str.strip does",
			alter: alter.Body(bytes.TrimSpace)},
		{Name: "text-beyond-buffer", Breaks: bodyJSON, Rare: true,
			Doc: "ignores what stands behind the value and 512 bytes, as a look at what Go's Decoder has buffered does",
			alter: alter.Body(func(b []byte) []byte {
				if n := firstValue(b); n > 0 && n < readAtOnce && len(b) > readAtOnce && len(bytes.TrimSpace(b[n:readAtOnce])) == 0 {
					return b[:n]
				}
				return b
			})},
		{Name: "trailing-semicolon", Breaks: bodyJSON, Rare: true,
			Doc: "takes a semicolon behind the value, as eval does",
			alter: alter.Body(func(b []byte) []byte {
				return bytes.TrimSuffix(bytes.TrimRight(b, " \t\r\n"), []byte(";"))
			})},
		{Name: "nul-terminated", Breaks: bodyJSON, Rare: true,
			Doc: "ends the body at the first NUL byte, as C strings do",
			alter: alter.Body(func(b []byte) []byte {
				before, _, _ := bytes.Cut(b, []byte{0})
				return before
			})},
		{Name: "leading-text", Breaks: bodyJSON,
			Doc: "starts reading at the first {, as code that strips prefixes does",
			alter: alter.Body(func(b []byte) []byte {
				if i := bytes.IndexByte(b, '{'); i > 0 && !bytes.ContainsAny(b[:i], `["`) {
					return b[i:]
				}
				return b
			})},
		{Name: "parentheses", Breaks: bodyJSON, Rare: true,
			Doc: "takes a value in parentheses, as JSONP readers and eval do",
			alter: alter.Body(func(b []byte) []byte {
				if inner := bytes.TrimSpace(b); len(inner) > 1 && inner[0] == '(' && inner[len(inner)-1] == ')' {
					return inner[1 : len(inner)-1]
				}
				return b
			})},
		{Name: "blank-body-accepted", Breaks: bodyJSON, Also: []string{bodyRequired}, Rare: true,
			Doc: "takes a body of nothing but white space for an empty plant",
			alter: alter.Body(func(b []byte) []byte {
				if len(b) > 0 && len(bytes.TrimSpace(b)) == 0 {
					return []byte(emptyPlant)
				}
				return b
			})},
		{Name: "unreadable-is-empty", Breaks: bodyJSON,
			Doc: "takes a body that starts with no JSON character for an empty plant, as PHP does when json_decode gives null",
			alter: alter.Body(func(b []byte) []byte {
				if t := bytes.TrimSpace(b); len(t) > 0 && !bytes.ContainsAny(t[:1], "{[\"-0123456789tfn\xef") {
					return []byte(emptyPlant)
				}
				return b
			})},
	}
}

// emptyPlant is what code without checks makes of nothing.
const emptyPlant = `{"id":0,"name":""}`

// firstValue is the length of the first JSON value in b, 0 where there is none.
func firstValue(b []byte) int {
	d := jsontext.NewDecoder(bytes.NewReader(b))
	if _, err := d.ReadValue(); err != nil {
		return 0
	}
	return int(d.InputOffset())
}

// cut drops what stands behind the first value.
func cut(b []byte) []byte {
	if n := firstValue(b); n > 0 {
		return b[:n]
	}
	return b
}
