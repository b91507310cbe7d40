package message

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Framing is how a body travels.
type Framing uint8

// The framings.
const (
	Length      Framing = iota // Content-Length
	Chunked                    // several chunks
	Expect                     // Content-Length and Expect: 100-continue
	Pieces                     // Content-Length, head and body apart, the body cut inside a character
	HeadPieces                 // Content-Length, the head cut in its middle
	ManyPieces                 // Content-Length, head and body apart, both cut in several places
	SplitChunks                // many chunks, whose ends are inside characters
	LastChunk                  // two chunks, the last byte in one of its own
	AsIs                       // Raw follows the head, and Fields say how it is framed
)

// Chunky reports whether the body comes in chunks.
func (f Framing) Chunky() bool { return f == Chunked || f == SplitChunks || f == LastChunk }

// insideCharacter returns an index inside the first multi-byte character, or behind the
// first blank, or the middle of the body.
func insideCharacter(body []byte) int {
	for i, c := range body {
		if c >= utf8.RuneSelf {
			return i + 1
		}
	}
	if i := bytes.IndexByte(body, ' '); i >= 0 && i < len(body)-1 {
		return i + 1
	}
	return len(body) / 2
}

// A request whose head the suite made longer than longHead is the last one on its
// connection: some servers misread what follows a line that was too long for them.
const longHead = 1 << 10

// visible reports whether a head has only printable ASCII, tabs and line ends. Other bytes
// are obsolete in fields (RFC 9110, 5.5) and invalid in a target, and parsers below the
// application close the connection on them.
func visible(head []byte) bool {
	for _, c := range head {
		if c >= 0x7f || c < ' ' && c != '\r' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// ManyPieces cuts the body and the head into so many pieces.
const (
	manyPieces = 24
	headPieces = 4
	// MostPieces is how many pieces a request of the framing ManyPieces has at most.
	MostPieces = manyPieces + headPieces
)

// everywhere returns where head and body are cut, as exchange.Request counts.
func everywhere(head, body int) []int {
	var cuts []int
	for i := headPieces - 1; i >= 0; i-- {
		cuts = append(cuts, -i*head/headPieces)
	}
	for i := 1; i < manyPieces; i++ {
		if at := i * body / manyPieces; at > cuts[len(cuts)-1] {
			cuts = append(cuts, at)
		}
	}
	return cuts
}

// mostChunks bounds the chunks of a body of nothing but wide characters.
const mostChunks = 64

// insideCharacters returns the sizes of chunks that end inside each multi-byte
// character, behind its first byte and before its last one in turns. Without any,
// each byte is a chunk.
func insideCharacters(body []byte) []int {
	var sizes []int
	from := 0
	for i := 0; i < len(body) && len(sizes) < mostChunks; {
		_, n := utf8.DecodeRune(body[i:])
		if n > 1 {
			end := i + 1
			if len(sizes)%2 == 1 {
				end = i + n - 1
			}
			sizes = append(sizes, end-from)
			from = end
		}
		i += n
	}
	if len(sizes) == 0 {
		return slices.Repeat([]int{1}, min(len(body), mostChunks))
	}
	return sizes
}
