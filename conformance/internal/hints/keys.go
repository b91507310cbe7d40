package hints

import (
	"strings"
	"unicode"
)

// IsKey reports whether a member of this name identifies the resource that has it.
func IsKey(name string) bool { return Called(name, Key) }

// Refers returns the resource that a member refers to by its key: user for userId,
// owner_uuid names owner. It is empty if the name does not look like that.
func Refers(name string) string {
	for _, key := range Names(Key) {
		if stem, found := cutKey(name, key); found {
			return Flat(stem)
		}
	}
	return ""
}

// RefersAt is Refers for a parameter of a section, or for a member of the body where the
// section is empty. It is also empty if the client makes the value up.
func RefersAt(section, name string) string {
	if section == "header" {
		name = trimX(name)
		if Called(name, OfRequest) {
			return ""
		}
	}
	return Refers(name)
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

// trimX removes the mark of fields that no standard describes (RFC 6648).
func trimX(name string) string {
	if len(name) > 2 && strings.EqualFold(name[:2], "x-") {
		return name[2:]
	}
	return name
}

// TakenOnce reports whether a server may refuse a value of a header field that it saw before.
func TakenOnce(field string) bool {
	name := trimX(field)
	return Called(name, OfRequest) || Called(name, Once)
}

// IsVersion reports whether a member or parameter of that name may say which state of a resource the
// client knows, as If-Match does.
func IsVersion(name string) bool { return Called(name, Version) }

// One returns the name of a resource in one spelling: user for users, User and user.
func One(name string) string { return Singular(Flat(name)) }

// Singular returns the singular of an English plural, as far as its ending tells. Where that leaves
// two, a singular has the same spelling: movies are those of movy, and so is a movie.
func Singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ie") && len(word) > 3:
		return word[:len(word)-2] + "y"
	case strings.HasSuffix(word, "che"):
		return word[:len(word)-1]
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "tuses"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// Sides are words of names that differ in one pair, the longest first.
func Sides() [][2]string {
	return [][2]string{
		Stay(), {"departure", "return"}, {"minimum", "maximum"}, {"checkin", "checkout"}, {"pickup", "dropoff"}, {"pickup", "return"},
		{"starts", "ends"}, {"begins", "ends"}, {"opens", "closes"}, {"opening", "closing"},
		{"start", "end"}, {"start", "stop"}, {"start", "finish"}, {"begin", "end"}, {"from", "until"}, {"from", "till"}, {"from", "through"}, {"from", "thru"}, {"from", "to"},
		{"since", "until"}, {"after", "before"}, {"notbefore", "notafter"}, {"lower", "upper"}, {"lowest", "highest"}, {"low", "high"},
		{"open", "close"}, {"min", "max"}, {"gte", "lte"}, {"gte", "lt"}, {"gt", "lt"}, {"gt", "lte"},
	}
}

// Stay is the pair whose order its names do not tell: a trip begins with the departure, a stay with
// the arrival. The member that the document lists first comes first.
func Stay() [2]string { return [2]string{"departure", "arrival"} }
