package diagnose

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// longText is the length, in bytes, from which a text, a number or a header field is unusual.
const longText = 200

// isLong reports whether a value is a long text, or a number with many digits.
func isLong(v *jsontree.Value) bool {
	return v != nil && (v.Kind == jsontree.String || v.Kind == jsontree.Number) && len(v.Text) > longText
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

func unusualPlaces(r *openapi.Reading) (out []unusualPlace) {
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
	if s.Body != nil {
		for _, at := range unusualPlaces(s.Body) {
			if v := s.Body.At(at.pointer); isLong(v) {
				return "long-" + v.Kind.String(), kindOfPlace(m.Op, at.path), at.path
			}
		}
	}
	return "", "", ""
}

// longHeader is the kind of a request with a long header field.
const longHeader = "long-field"

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
