package message

import "strings"

// Gap is the white space between the colon of a field and its value. It means nothing
// (RFC 9112, 5.1).
type Gap uint8

// The gaps.
const (
	OneBlank Gap = iota
	NoBlank
	TwoBlanks
)

// String is the name of the gap in case ids.
func (g Gap) String() string {
	return [...]string{"blank-behind-colon", "no-blank-behind-colon", "two-blanks-behind-colon"}[g]
}

// in returns a head with the gap in each of its fields.
func (g Gap) in(head []byte) []byte {
	if g == OneBlank {
		return head
	}
	lines := strings.Split(string(head), "\r\n")
	for i := 1; i < len(lines); i++ {
		if name, value, found := strings.Cut(lines[i], ": "); found {
			lines[i] = name + ":" + [...]string{" ", "", "  "}[g] + value
		}
	}
	return []byte(strings.Join(lines, "\r\n"))
}
