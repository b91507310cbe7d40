package reach

import (
	"strings"
	"unicode"
)

// flat writes a name without case and punctuation: userId, user_id and User-ID are
// the same.
func flat(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
}

// keys are the names of members that tell things of one kind apart, the usual first.
var keys = []string{"id", "uuid", "guid", "key", "slug", "code", "name", "number", "handle", "username", "sku"}

// keyOf returns the resource that a member refers to by its key: user for userId,
// owner_uuid names owner. It is empty if the name does not look like one.
func keyOf(name string) string {
	for _, key := range []string{"uuid", "guid", "id"} {
		if stem, found := cutKey(name, key); found {
			return flat(stem)
		}
	}
	return ""
}

// cutKey cuts a key off the end of a name, where a new word begins.
func cutKey(name, key string) (string, bool) {
	if len(name) <= len(key) || !strings.EqualFold(name[len(name)-len(key):], key) {
		return "", false
	}
	stem, end := name[:len(name)-len(key)], name[len(name)-len(key):]
	last := stem[len(stem)-1]
	if last == '_' || last == '-' || last == '.' {
		return stem[:len(stem)-1], true
	}
	return stem, unicode.IsUpper(rune(end[0])) && unicode.IsLower(rune(last))
}

// singular returns the singular of an English plural, as far as its ending tells.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// same reports whether two names mean one resource.
func same(a, b string) bool {
	a, b = flat(a), flat(b)
	return a != "" && (a == b || singular(a) == singular(b))
}

// segments splits a path template.
func segments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

// resource returns the word of a path that names its things: users for /v1/users and
// for /users/{id}.
func resource(path string) string {
	parts := segments(path)
	for i := len(parts) - 1; i >= 0; i-- {
		if !strings.Contains(parts[i], "{") {
			return parts[i]
		}
	}
	return ""
}

// before returns the path up to the segment with an expression: /users for name id
// in /users/{id}/orders. It is empty if that segment has other text too.
func before(path, name string) (collection string, item string) {
	head, _, found := strings.Cut(path, "{"+name+"}")
	if !found {
		return "", ""
	}
	at := strings.LastIndexByte(head, '/')
	rest := path[len(head):]
	if end := strings.IndexByte(rest, '/'); end >= 0 {
		rest = rest[:end]
	}
	return head[:max(at, 0)], head + rest
}
