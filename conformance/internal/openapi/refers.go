package openapi

import (
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
)

// Flat writes a name without case and punctuation: userId, user_id and User-ID are
// the same.
func Flat(name string) string { return hints.Flat(name) }

// Refers returns the thing that a member refers to by its key: user for userId,
// owner_uuid names owner. It is empty if the name does not look like that.
func Refers(name string) string {
	for _, key := range hints.Names(hints.Key) {
		if stem, found := cutKey(name, key); found {
			return Flat(stem)
		}
	}
	return ""
}

// KeyAt reports whether the name of the member at a path is that of a key, or of a list of
// keys if the path ends with an asterisk.
func KeyAt(path string) bool {
	list, isItem := strings.CutSuffix(path, "/*")
	name := list[strings.LastIndexByte(list, '/')+1:]
	if isItem {
		name = strings.TrimSuffix(name, "s")
	}
	return IsKey(name) || Refers(name) != ""
}

// IsKey reports whether a member of this name identifies the thing that has it.
func IsKey(name string) bool { return hints.Called(name, hints.Key) }

// UnknownKey is why a server may refuse a key that was made up.
const UnknownKey = "the key of something that may not exist"

// refers reports whether a member of an object at a path is the key of something that
// may not exist: userId, the id of an object inside the request, each of userIds, the
// cursor of a page, and what is named by the thing alone.
func refers(path string, m jsontree.Member, p *Property) bool {
	s := p.Schema
	inside := path != "" && !slices.Contains([]string{"/path", "/query", "/header", "/cookie"}, path)
	section := strings.TrimPrefix(path, "/")
	if inside {
		section = ""
	}
	switch {
	case path == "" && p.Thing != "":
		return true
	case m.Value.Kind == jsontree.Array:
		name, several := strings.CutSuffix(m.Name, "s")
		return several && len(m.Value.Items) > 0 && RefersAt(section, name) != "" && s.Items != nil && names(s.Items)
	case inside && hints.Called(m.Name, hints.Key):
		return names(s)
	}
	return (RefersAt(section, m.Name) != "" || hints.Called(m.Name, hints.Cursor)) && names(s)
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

// names reports whether values of a schema can be keys: texts and numbers that are no
// dates, times or amounts.
func names(s *Schema) bool {
	t := s.Type()
	return (t == "string" || t == "integer" || t == "") && s.Enum == nil && s.Const == nil && !Ordinary(s)
}

// Ordinary reports whether a schema describes values that name nothing.
func Ordinary(s *Schema) bool {
	return !s.Code.Identifies() || slices.Contains([]string{"date", "date-time", "time", "duration", "email", "byte", "binary"}, s.Format) ||
		s.Type() == "number" && !s.Whole() && s.Format != ""
}
