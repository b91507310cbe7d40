package diagnose

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/schema"
)

// longText is the length, in bytes, from which a text, a number or a header field is unusual.
const longText = 200

// isLong reports whether a value is a long text, a number with many digits, or holds one.
func isLong(v *jsontree.Value) bool {
	long := false
	v.Walk(func(_ string, v *jsontree.Value) {
		long = long || (v.Kind == jsontree.String || v.Kind == jsontree.Number) && len(v.Text) > longText
	})
	return long
}

// quotesLong reports whether a text that is no JSON has a long text in quotes.
func quotesLong(body []byte) bool {
	for i, between := range bytes.Split(body, []byte{'"'}) {
		if i > 0 && len(between) > longText {
			return true
		}
	}
	return false
}

// longFields are the names of the header fields with long values.
func longFields(m *message.Message) (names []string) {
	for _, f := range m.Fields {
		if isLongField(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

func isLongField(f exchange.Field) bool { return len(f.Value) > longText }

// The parts of a request that are only long: what else they are does not matter.
const (
	longField = "long field"
	longIn    = "long value in "
)

// isSize reports whether a part is one of them.
func isSize(part string) bool {
	return part == message.LargeBody || part == longField || strings.HasPrefix(part, longIn)
}

// unusualPlace is a place of a request whose value breaks the schema, or is no baseline value: its
// JSON pointer, and its path.
type unusualPlace struct{ pointer, path string }

func unusualPlaces(r *schema.Reading) (out []unusualPlace) {
	for _, v := range r.Violations {
		out = append(out, unusualPlace{v.Pointer, v.Path})
	}
	for _, path := range r.Unusual {
		out = append(out, unusualPlace{path, path})
	}
	for _, why := range r.Reasons {
		out = append(out, unusualPlace{why.Path, why.Path})
	}
	return out
}

// long says which part of a request is long, at what kind of place, and where the value stands; kind
// is empty if none is.
func long(p *judge.Played) (kind, where, tried string) {
	s, m := p.Sent, p.Step.Message
	if slices.Contains(s.Transport, message.LargeBody) {
		return "long-body", "body", ""
	}
	if names := longFields(m); names != nil {
		return longHeader, names[0] + " in header", ""
	}
	if s.Body != nil && s.Body.Syntax != nil && quotesLong(m.Body()) {
		return longString, "string in body", ""
	}
	if s.Body != nil {
		for _, at := range unusualPlaces(s.Body) {
			switch v := s.Body.At(at.pointer); {
			case !isLong(v):
			case v.Kind == jsontree.Number:
				return "long-number", kindOfPlace(m.Op, at.path), at.path
			default:
				return longString, kindOfPlace(m.Op, at.path), at.path
			}
		}
	}
	return "", "", ""
}

// The kinds of a request with a long header field, and with a long text in its body, in quotes.
const (
	longHeader = "long-field"
	longString = "long-string"
)

// longFields counts the names of the long header fields of a group.
func (g *group) longFields() int {
	names := map[string]bool{}
	for _, f := range g.failures {
		for _, name := range longFields(f.Shows().Step.Message) {
			names[http.CanonicalHeaderKey(name)] = true
		}
	}
	return len(names)
}
