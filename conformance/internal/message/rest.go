package message

import "bytes"

// Rest is where in a request its sender pauses for long.
type Rest uint8

// The places.
const (
	RestNever     Rest = iota
	RestInName         // inside the name of a field
	RestInLineEnd      // between CR and LF
	RestInHeadEnd      // before the last LF of the head
	RestInEscape       // inside an escape of the body, or a character of several bytes
	RestInChunk        // inside the line with the size of a chunk, and before the last one
	RestTwice          // in the middle of the body, and before its last byte
	RestLong           // the same, for longer
)

// String is the name of the place in case ids.
func (p Rest) String() string {
	return [...]string{"never", "field-name", "line-end", "head-end", "escape", "chunk-line", "body", "body-long"}[p]
}

// cuts returns where the bytes are cut, as exchange.Request counts.
func (p Rest) cuts(head, body []byte) []int {
	line := bytes.IndexByte(head, '\n') + 1
	switch p {
	case RestInName:
		return []int{line + 2 - len(head)}
	case RestInLineEnd:
		return []int{line - 1 - len(head)}
	case RestInHeadEnd:
		return []int{-1}
	case RestInEscape:
		if i := bytes.Index(body, []byte(`\u`)); i >= 0 {
			return []int{i + 3}
		}
		return []int{insideCharacter(body)}
	case RestInChunk:
		return ascending(len(body), 1, 2, len(body)-len("0\r\n\r\n"))
	}
	return ascending(len(body), len(body)/2, len(body)-1)
}

// ascending returns the places inside a body, each once.
func ascending(length int, at ...int) []int {
	var out []int
	for _, n := range at {
		if n > 0 && n < length && (len(out) == 0 || n > out[len(out)-1]) {
			out = append(out, n)
		}
	}
	return out
}
