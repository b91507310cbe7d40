package contract

import (
	"cmp"
	"net/http"
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

// stateBound reads what the descriptions of an operation and of its answer 409 say of states. It
// returns nil if they say nothing of them.
func (l *loader) stateBound(op *Operation, pointer string) *StateBound {
	conflict := op.Lists(http.StatusConflict)
	if conflict == nil || !strings.Contains(op.Path, "{") || op.Method == http.MethodGet || op.Method == http.MethodHead {
		return nil
	}
	out := &StateBound{}
	for _, at := range []string{pointer + "/description", pointer + "/summary", conflict.Pointer + "/description"} {
		for sentence := range sentences(text(l.root, at)) {
			out.add(sentence, strings.HasPrefix(at, conflict.Pointer), at)
		}
	}
	if len(out.said) == 0 || ofNoEffect.MatchString(out.text) {
		return nil
	}
	out.others = l.otherNouns(op)
	return out
}

// otherNouns returns the nouns of the paths, without those in front of an expression in the path
// of the operation: "only an active team" says nothing of a member.
func (l *loader) otherNouns(op *Operation) map[string]bool {
	out := map[string]bool{}
	for _, m := range l.root.Get("paths").Members {
		for part := range strings.SplitSeq(strings.ToLower(m.Name), "/") {
			if part != "" && !strings.Contains(part, "{") {
				out[part], out[singular(part)] = true, true
			}
		}
	}
	parts := strings.Split(strings.ToLower(op.Path), "/")
	for i, part := range parts[1:] {
		if own := parts[i]; strings.Contains(part, "{") {
			delete(out, own)
			delete(out, singular(own))
		}
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

// BoundIn reports whether the document says that the operation is refused in some state of a
// resource of this schema.
func (b *StateBound) BoundIn(s *Schema) bool {
	for _, p := range s.Properties {
		values := StateValues(p.Schema)
		if !b.speaksOf(values) {
			continue
		}
		for _, was := range values {
			for _, is := range values {
				if b.RefusedIn(values, was, is, true) != "" {
					return true
				}
			}
		}
	}
	return false
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
