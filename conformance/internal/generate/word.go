package generate

// IsFresh reports whether a text has the form of a fresh word: 6 to 64 letters and
// digits, first a letter, at least one digit.
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
