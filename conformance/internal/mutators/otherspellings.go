package mutators

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// spelledTime is a way to write a date-time that RFC 3339 allows.
type spelledTime struct {
	kind  string
	spell func(string) string
}

func spelledTimes() []spelledTime {
	zone := func(text string) func(string) string {
		return func(s string) string { return strings.TrimSuffix(s, "Z") + text }
	}
	return []spelledTime{
		{"offset", zone("+02:00")},
		{"offset-behind", zone("-05:30")},
		{"fraction", zone(".123Z")},
		{"fraction-and-offset", zone(".5+01:00")},
		{"lower-case", strings.ToLower},
	}
}

// times are date-times with an offset and with fractions of a second, which code that
// reads only the form with Z does not expect. Each is a class of its own: where few cases
// are tried, one of a list would be left out.
func (p *place) times(s *plan.Space) []plan.Class {
	if p.schema.Format != "date-time" || p.schema.Type() != "string" || p.schema.Enum != nil || p.schema.Const != nil || p.schema.Pattern != "" {
		return nil
	}
	var out []plan.Class
	for _, t := range spelledTimes() {
		out = append(out, ahead(sorted(s, p.where(), t.kind, []func(string) string{t.spell}, func(g *generate.Gen, spell func(string) string) *request.Message {
			return p.with(g, jsontree.NewString(spell(g.BaselineText(p.schema))))
		}))...)
	}
	return out
}

// emptyFile is a file without a byte in a form. It may be refused, but code that reads its
// first bytes fails.
func (p *place) emptyFile(s *plan.Space) []plan.Class {
	if p.section || p.schema.Format != "binary" || !s.Op.Body.Form() {
		return nil
	}
	return ahead(mayRefuse(s, p.where(), "empty-file", []string{""}, func(g *generate.Gen, text string) *request.Message {
		return p.with(g, jsontree.NewString(text))
	}))
}
