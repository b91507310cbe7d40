package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// Side is where a body stands, seen from a keyword.
type Side uint8

// The sides.
const (
	Neither Side = iota // breaks something else, or shows nothing of the keyword
	Valid               // keeps it
	Invalid             // breaks it, and would be valid without it
)

// Seed and Draws are those of a default run.
const (
	seed  = 1
	draws = 100
)

// Measure plans the probes of every keyword with the catalogue and counts.
func MeasureCoverage(list []Keyword, catalogue []plan.Mutator) (*report.Coverage, error) {
	out := &report.Coverage{Version: report.Version}
	for _, k := range list {
		for _, dialect := range k.Dialects {
			p, err := Open(k, dialect, catalogue)
			if err != nil {
				return nil, err
			}
			row := p.row()
			if n := len(out.Keywords); n > 0 && joinsCoverage(out.Keywords[n-1], row) {
				out.Keywords[n-1].Dialects = append(out.Keywords[n-1].Dialects, dialect)
				continue
			}
			out.Keywords = append(out.Keywords, row)
		}
	}
	return out, nil
}

// joins reports whether two dialects of a keyword are one row.
func joinsCoverage(a, b report.KeywordCoverage) bool {
	return a.Keyword == b.Keyword && a.Valid == b.Valid && a.Invalid == b.Invalid
}

// row says what was found; words without cases, and cases without words, are
// never shown.
func (p *Probe) row() report.KeywordCoverage {
	k := p.Keyword
	return report.KeywordCoverage{Keyword: k.Name, Dialects: []string{p.Dialect}, Why: k.Why,
		Valid:   report.SideCoverage{Cases: len(p.cases[Valid]), What: k.Valid.words(len(p.cases[Valid]))},
		Invalid: report.SideCoverage{Cases: len(p.cases[Invalid]), What: k.Invalid.words(len(p.cases[Invalid]))}}
}

func (w Words) words(cases int) string {
	if cases == 0 {
		return ""
	}
	return w.What
}

// Keyword is one entry: a schema that uses the keyword, and what is planned on
// both sides in words.
type Keyword struct {
	Name     string
	Dialects []string
	// Schema is that of the request body, as JSON.
	Schema string
	// Lifted are the JSON pointers that take the keyword out of the schema.
	Lifted []string
	// Places are where classes count, as their slugs write them; "value" where
	// none is given. The baseline body counts always.
	Places []string
	// Permits is set for a keyword that only allows more: a body is on its valid
	// side if it would be invalid without it, and nothing breaks it.
	Permits bool
	// Shows reports whether a valid body touches the keyword at all; nil where
	// every one does.
	Shows func(body *jsontree.Value) bool
	// Valid and Invalid say what is planned.
	Valid, Invalid Words
	// Why gives the reason where a side has no case.
	Why string
}

// about reports whether a class is about the keyword: it changes the schema's
// value, with one thing in mind.
func (k Keyword) about(c *plan.Class) bool {
	switch place := c.Place.Name; {
	case c.Phase != plan.Single || place == "":
		return false
	case c.Mutator == "baseline":
		return true
	case c.Mutator == "random-violations":
		return false // several defects at once: which keyword they break is chance
	case len(k.Places) == 0:
		return place == "value"
	default:
		return slices.Contains(k.Places, place)
	}
}

// Words are what one side of a keyword holds.
type Words struct {
	What string
	// Kinds are the kinds of the classes that the words
	// rest on.
	Kinds []string
}

// by makes the words of a side from the classes, one blank apart.
func by(kinds, what string) Words { return Words{What: what, Kinds: strings.Fields(kinds)} }

func bothVersions() []string { return []string{"3.0", "3.1"} }

func older() []string { return []string{"3.0"} }

func newer() []string { return []string{"3.1"} }

// member is an object with one required member "value".
func member(schema string) string {
	return `{"type": "object", "required": ["value"], "properties": {"value": ` + schema + `}}`
}

// at are pointers to keywords of the member "value".
func at(keywords ...string) []string {
	out := make([]string, len(keywords))
	for i, k := range keywords {
		out[i] = "/properties/value/" + k
	}
	return out
}

// has reports whether a body has something at a pointer.
func has(pointers ...string) func(*jsontree.Value) bool {
	return func(body *jsontree.Value) bool {
		for _, p := range pointers {
			if body.At(p) == nil {
				return false
			}
		}
		return true
	}
}

// named reports whether the body has a member that the function wants.
func hasNamed(wants func(name string) bool) func(*jsontree.Value) bool {
	return func(body *jsontree.Value) bool {
		for _, m := range body.Members {
			if wants(m.Name) {
				return true
			}
		}
		return false
	}
}

// besides wants a member of another name than those.
func hasBeside(names ...string) func(*jsontree.Value) bool {
	return hasNamed(func(name string) bool {
		for _, n := range names {
			if n == name {
				return false
			}
		}
		return true
	})
}

// text reports whether the member is this string.
func hasText(pointer, want string) func(*jsontree.Value) bool {
	return func(body *jsontree.Value) bool {
		v := body.At(pointer)
		return v != nil && v.Kind == jsontree.String && v.Text == want
	}
}

// combined are the keywords that put schemas together.
func combined() []Keyword {
	when := `{"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["box", "letter"]}, "weight": {"type": "integer"}, "pages": {"type": "integer"}},
		"if": {"properties": {"kind": {"const": "box"}}}, "then": {"required": ["weight"]}, "else": {"required": ["pages"]}}`
	return []Keyword{
		{Name: "allOf", Places: []string{"body", "name", "size"}, Dialects: bothVersions(), Schema: `{"type": "object", "allOf": [{"required": ["name"], "properties": {"name": {"type": "string"}}}, {"required": ["size"], "properties": {"size": {"type": "integer", "minimum": 5}}}]}`,
			Lifted:  []string{"/allOf"},
			Valid:   by("baseline", "bodies that keep every part"),
			Invalid: by("missing null beyond-bound", "each part broken by itself: a member left out, of another type, beyond its bound")},
		{Name: "anyOf", Dialects: bothVersions(), Schema: member(`{"anyOf": [{"type": "string", "maxLength": 12}, {"type": "integer", "minimum": 5}]}`), Lifted: at("anyOf"),
			Valid:   by("baseline alternative", "each alternative"),
			Invalid: by("no-or-two-alternatives boolean object", "a value that fits none: numbers below the bound, null, values of every other type")},
		{Name: "oneOf", Places: []string{"value", "value.a"}, Dialects: bothVersions(), Schema: member(`{"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}, {"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}}]}`), Lifted: at("oneOf"),
			Valid:   by("baseline", "each alternative, as a body of its own"),
			Invalid: by("no-or-two-alternatives missing", "a value that fits none, a value that fits two")},
		{Name: "not", Dialects: bothVersions(), Schema: member(`{"type": "string", "not": {"enum": ["root", "admin"]}}`), Lifted: at("not"),
			Valid:   by("baseline", "texts of every kind"),
			Invalid: by("no-or-two-alternatives", "the values that are excluded")},
		{Name: "if", Places: []string{"body", "kind", "weight", "pages"}, Dialects: newer(), Schema: when, Lifted: []string{"/if"},
			Valid:   by("condition-met", "both ways, each with what it asks for"),
			Invalid: by("condition-missed", "what the way that applies asks for, left out")},
		{Name: "then", Places: []string{"body", "kind", "weight", "pages"}, Dialects: newer(), Schema: when, Lifted: []string{"/then"}, Shows: hasText("/kind", "box"),
			Valid:   by("condition-met", "the condition met, with what it asks for"),
			Invalid: by("condition-missed", "the condition met, without what it asks for")},
		{Name: "else", Places: []string{"body", "kind", "weight", "pages"}, Dialects: newer(), Schema: when, Lifted: []string{"/else"}, Shows: hasText("/kind", "letter"),
			Valid:   by("condition-met", "the condition not met, with what is then asked for"),
			Invalid: by("condition-missed", "the condition not met, without what is then asked for")},
	}
}

// directed are the keywords that bind one direction, or nobody.
func directed() []Keyword {
	return []Keyword{
		{Name: "readOnly", Places: []string{"body", "name"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["id", "name"], "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}}`,
			Lifted: []string{"/properties/id/readOnly"}, Permits: true,
			Valid: by("baseline", "bodies without the member, though it is required"),
			Why:   "it applies to answers: a request should omit the member, and no requirement covers a request that has it"},
		{Name: "writeOnly", Places: []string{"body", "secret"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["secret"], "properties": {"secret": {"type": "string", "writeOnly": true}}}`,
			Lifted: []string{"/properties/secret/writeOnly"}, Permits: true,
			Why: "it applies only to answers, where the member is not required; a request has the member like any other"},
		{Name: "discriminator", Places: []string{"body", "kind", "a"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["kind"], "discriminator": {"propertyName": "kind"}, "properties": {"kind": {"type": "string"}},
			"oneOf": [{"required": ["a"], "properties": {"kind": {"enum": ["one"]}, "a": {"type": "string"}}}, {"required": ["b"], "properties": {"kind": {"enum": ["two"]}, "b": {"type": "integer"}}}]}`,
			Lifted: []string{"/discriminator"},
			Valid:  by("baseline", "each alternative with its tag"),
			Why:    "the judge uses the alternatives, not the mapping; a value whose tag names another alternative than the one that takes it may be refused"},
	}
}
