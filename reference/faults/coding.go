package faults

import (
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// mapRunes writes the runes that which picks with a format.
func mapRunes(text string, which func(rune) bool, format string) string {
	var out strings.Builder
	for _, r := range text {
		if which(r) {
			fmt.Fprintf(&out, format, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// latin1 writes the characters that Latin-1 has as single bytes.
func latin1(text string) string {
	var out []byte
	for _, r := range text {
		if r > 0x7f && r <= 0xff {
			out = append(out, byte(r))
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// cesu8 writes each half of a surrogate pair as three bytes.
func cesu8(text string) string {
	var out []byte
	for _, r := range text {
		if !beyondBMP(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			out = append(out, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0x3f|0x80, 0x80|byte(u)&0x3f)
		}
	}
	return string(out)
}

// mojibake reads UTF-8 as Latin-1.
func mojibake(text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteRune(rune(text[i]))
	}
	return out.String()
}

// pause is the time that a store takes, in which other requests come in.
func pause() {
	runtime.Gosched()
	time.Sleep(2 * time.Millisecond)
}
