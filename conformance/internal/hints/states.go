package hints

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// StateBound is what the document says of the states of a resource in which an operation is
// refused.
type StateBound struct {
	evidence *report.Evidence // the first sentence that says so
	said     []stateSentence
	text     string          // all that is said of the operation, in small letters
	others   map[string]bool // nouns of the document that are not what the operation is about
}

// stateSentence is a sentence as it is written, and in small letters without quotes.
type stateSentence struct{ written, said string }

var (
	ofRefusal = regexp.MustCompile(`\b(409|refused?|refuses|rejected|rejects|conflicts?|errors?|cannot|can't|only|must|has to|have to|not allowed|not possible)\b`)
	ofState   = regexp.MustCompile(`\b(only|not|no|isn't|unless|otherwise|other|another|must|has to|have to|already|cannot|can't|takes? no|409)\b`)
	// ofNoEffect says that doing a thing twice is no mistake.
	ofNoEffect = regexp.MustCompile(`\b(idempotent|no effect|does nothing|changes nothing|no-op|no consequences?|succeeds again)\b`)
	quotes     = regexp.MustCompile("[`\"'*]+")
)

// StatesOf reads what texts of an operation and of its answer 409 say of states. It returns nil if
// they say nothing of them. Others are the nouns of the document that are not what the operation is
// about: "only an active team" says nothing of a member.
func StatesOf(ofRequest, ofConflict []Text, others map[string]bool) *StateBound {
	out := &StateBound{others: others}
	for i, t := range slices.Concat(ofRequest, ofConflict) {
		for sentence := range sentences(t.Said) {
			out.add(sentence, i >= len(ofRequest), t.Place)
		}
	}
	if len(out.said) == 0 || ofNoEffect.MatchString(out.text) {
		return nil
	}
	return out
}

// add adds a sentence, and keeps it if it may say in which states something is refused.
func (b *StateBound) add(sentence string, ofConflict bool, pointer string) {
	s := stateSentence{sentence, strings.Join(strings.Fields(quotes.ReplaceAllString(strings.ToLower(sentence), " ")), " ")}
	b.text += " " + s.said + "."
	if (ofConflict || ofRefusal.MatchString(s.said)) && ofState.MatchString(s.said) {
		b.said = append(b.said, s)
		b.evidence = cmp.Or(b.evidence, &report.Evidence{Fact: "the request is refused in some states", Place: pointer, Quote: sentence})
	}
}

// Said returns the first sentence that says so, or nil.
func (b *StateBound) Said() *report.Evidence {
	if b == nil {
		return nil
	}
	return b.evidence
}

// Names reports whether some sentence may be about one of some states, and says that the operation
// is refused in some of them.
func (b *StateBound) Names(values []string) bool {
	return b != nil && b.speaksOf(values) && slices.ContainsFunc(values, func(was string) bool {
		return slices.ContainsFunc(values, func(is string) bool { return b.RefusedIn(values, was, is, true) != "" })
	})
}

// speaksOf reports whether some sentence may be about one of some states.
func (b *StateBound) speaksOf(values []string) bool {
	return slices.ContainsFunc(b.said, func(s stateSentence) bool {
		return inOtherState.MatchString(s.said) || onlyOnce.MatchString(s.said) || slices.ContainsFunc(values, func(v string) bool {
			v = strings.ToLower(v)
			return strings.Contains(s.said, v) || strings.Contains(s.said, strings.ReplaceAll(v, "_", " "))
		})
	})
}
