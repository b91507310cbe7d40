package contract

import "strings"

// wordIn reports whether a text has a word.
func wordIn(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i, at = at+i, at+i+len(word)
		if (i == 0 || !inWord(text[i-1])) && (at == len(text) || !inWord(text[at])) {
			return true
		}
	}
}

func inWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}
