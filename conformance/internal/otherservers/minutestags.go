package otherservers

import (
	"fmt"
	"strings"
)

// minutesTags are the entity tags of minutes, and how requests are compared with them.
type minutesTags struct {
	wrong    string
	versions map[any]int
}

func newTags(wrong string) *minutesTags { return &minutesTags{wrong, map[any]int{}} }

// of is the tag of minutes as they are.
func (t *minutesTags) of(found map[string]any) string {
	tag := fmt.Sprintf(`"%v-%d"`, found["id"], t.versions[found["id"]])
	switch t.wrong {
	case "there are no tags":
		return ""
	case "tags are weak":
		return "W/" + tag
	}
	return tag
}

// same compares If-None-Match: a client has the minutes already.
func (t *minutesTags) same(given, tag string) bool {
	if t.wrong == "a read compares no tags" {
		return false
	}
	if given == "*" {
		return t.wrong != "an asterisk is no tag"
	}
	return t.one(given, func(each string) bool {
		if t.wrong == "a weak tag is another one" {
			return each == tag
		}
		return strings.TrimPrefix(each, "W/") == strings.TrimPrefix(tag, "W/")
	})
}

// matches compares If-Match: a client wants to change the minutes that it has read.
func (t *minutesTags) matches(given, tag string) bool {
	if given == "*" || t.wrong == "match is ignored" {
		return t.wrong != "an asterisk matches nothing"
	}
	return t.one(given, func(each string) bool {
		if t.wrong == "a weak tag matches" {
			return strings.TrimPrefix(each, "W/") == tag
		}
		return each == tag && !strings.HasPrefix(tag, "W/")
	})
}

// one reports whether one tag of a field is the one that is asked for.
func (t *minutesTags) one(given string, is func(each string) bool) bool {
	if t.wrong == "a list is one tag" {
		return is(given)
	}
	for _, each := range strings.Split(given, ",") {
		if is(strings.TrimSpace(each)) {
			return true
		}
	}
	return false
}
