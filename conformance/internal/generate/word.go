package generate

// IsFresh reports whether a text is one of our fresh words: 6 to 64 letters and
// digits, a letter first, a digit at least.
func IsFresh(s string) bool {
	if len(s) < 6 || len(s) > 64 {
		return false
	}
	digit := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digit = true
			if i == 0 {
				return false
			}
		case c < 'a' || c > 'z':
			return false
		}
	}
	return digit
}
