package message

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// PathSpelling is a way to write the path. Some servers take it for the same path, but not
// what stands before them, such as a check of credentials; others for another one.
type PathSpelling uint8

// The spellings.
const (
	PathAsUsual     PathSpelling = iota
	LetterEncoded                // the first letter is percent-encoded, the address the same (RFC 3986, 6.2.2.2)
	SlashBehind                  // as routers that are not strict ignore it
	SlashTwice                   // at the beginning
	DotBefore                    // a segment that means nothing (RFC 3986, 5.2.4)
	UpperCase                    // of the first segment
	SemicolonBehind              // with an empty parameter of the segment (RFC 3986, 3.3)
	pathSpellings
)

// String is the name of the spelling in case ids.
func (p PathSpelling) String() string {
	return [...]string{"usual-path", "encoded-path", "slash-behind-path", "two-slashes-before-path", "dot-before-path", "upper-case-path", "semicolon-behind-path"}[p]
}

// PathSpellings returns the unusual spellings of the paths of an operation. What follows an
// expression could be taken for a part of its value.
func PathSpellings(template string) []PathSpelling {
	var out []PathSpelling
	for p := LetterEncoded; p < pathSpellings; p++ {
		if written := p.in(template); written != template && usualPath(template, written) == template {
			out = append(out, p)
		}
	}
	return out
}

// in writes a path.
func (p PathSpelling) in(path string) string {
	switch p {
	case LetterEncoded:
		return encoded(path)
	case SlashBehind:
		return path + "/"
	case SlashTwice:
		return "/" + path
	case DotBefore:
		return "/." + path
	case UpperCase:
		first := firstSegment(path)
		return strings.ToUpper(first) + path[len(first):]
	case SemicolonBehind:
		return path + ";x"
	}
	return path
}

// usualPath undoes every spelling in a path of an operation.
func usualPath(template, path string) string {
	path = decoded(path)
	if !strings.HasSuffix(template, "}") {
		path = strings.TrimSuffix(path, ";x")
		if !strings.HasSuffix(template, "/") {
			path = strings.TrimSuffix(path, "/")
		}
	}
	for _, before := range []string{"/.", "/"} {
		if rest, found := strings.CutPrefix(path, before); found && strings.HasPrefix(rest, "/") && firstSegment(template) != before {
			path = rest
		}
	}
	first, own := firstSegment(path), firstSegment(template)
	if !strings.Contains(own, "{") && strings.EqualFold(first, own) {
		path = own + path[len(first):]
	}
	return path
}

// firstSegment returns the first segment of a path, with the slash before it.
func firstSegment(path string) string {
	if len(path) < 2 {
		return path
	}
	if end := strings.IndexByte(path[1:], '/'); end >= 0 {
		return path[:end+1]
	}
	return path
}

// encoded writes the first letter of a path percent-encoded. A path without one stays as it
// is.
func encoded(path string) string {
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '{':
			return path // a template whose paths may have no letter
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
