package plan

import "strings"

// Condition is a header field with the entity tag, or the time of the last change, that the
// answer to an earlier step has (RFC 9110, 13.1).
type Condition struct {
	Field string // If-Match, If-None-Match, If-Modified-Since or If-Unmodified-Since
	Step  int    // counted from 0
	// Older takes a time that is a day before.
	Older bool
	// As says how the tag is written.
	As TagForm
}

// TagForm says how a condition writes an entity tag.
type TagForm int

// The forms. AsForeign and AsAny write another value in place of the tag.
const (
	AsCame    TagForm = iota // as it came
	AsListed                 // in a list, behind another one
	AsWeak                   // a strong one as a weak one
	AsOther                  // a strong one as a weak one, and the other way round
	AsAny                    // an asterisk
	AsForeign                // a tag that nothing has
)

// foreignTag is a tag that no server gives.
const foreignTag = `"conformance-other"`

// Dated reports whether the field has a time.
func (c *Condition) Dated() bool { return strings.HasSuffix(c.Field, "-Since") }

// Value writes a tag as the condition does. It is empty if a weak tag would have to be strong
// to tell something.
func (f TagForm) Value(tag string) string {
	strong := strings.TrimPrefix(tag, "W/")
	switch {
	case f == AsListed:
		return foreignTag + ", " + tag
	case f == AsAny:
		return "*"
	case f == AsForeign:
		return foreignTag
	case f == AsCame:
		return tag
	case strong == tag:
		return "W/" + tag
	case f == AsOther:
		return strong
	}
	return ""
}

// String says for a story what is done with the tag; empty if it is sent as it came.
func (f TagForm) String() string {
	return [...]string{"", " behind another tag", " as a weak tag", " with W/ added or taken away", ": an asterisk in place of it", ": another tag in place of it"}[f]
}
