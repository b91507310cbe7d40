package request

import (
	"fmt"
	"regexp"
	"strconv"
)

// encoded writes the first letter of a path percent-encoded. A path without one stays as it
// is.
func encoded(path string) string {
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '%':
			i += 2 // the digits of an escape
		case isLetter(rune(path[i])):
			return fmt.Sprintf("%s%%%02X%s", path[:i], path[i], path[i+1:])
		}
	}
	return path
}

func isLetter(c rune) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

// decoded undoes encoded, wherever a letter is written so.
func decoded(path string) string {
	return encodedLetter.ReplaceAllStringFunc(path, func(escape string) string {
		if c, _ := strconv.ParseUint(escape[1:], 16, 8); isLetter(rune(c)) {
			return string(rune(c))
		}
		return escape
	})
}

var encodedLetter = regexp.MustCompile(`%[4-7][0-9A-Fa-f]`)
