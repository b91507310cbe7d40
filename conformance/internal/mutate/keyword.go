package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

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
