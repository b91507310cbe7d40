package openapi

import (
	"errors"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"plantstore/conformance/internal/jsontree"
)

// Violation is one keyword that one value violates.
type Violation struct {
	// Path is the JSON pointer of the place with every array index written "*".
	Path string
	// Keyword is the schema keyword. Name is the member that required or
	// additionalProperties is about.
	Keyword string
	format  string // that is violated
	pattern string // that is violated
	spaced  bool   // white space stands around a listed text
	rest    bool   // it is about a member or item that no schema evaluates
	Name    string
	// Pointer is the JSON pointer of the value itself.
	Pointer string
}

// Key returns the requirement that is violated.
func (v Violation) Key() Key { return Key{v.Path, v.Keyword, v.Name} }

// Key is a place, a keyword and, for required, a member.
type Key struct{ Path, Keyword, Name string }

// violations returns what the exact judge objects to, in a fixed order.
// Where an alternative was merged, it objects with the keywords of that alternative.
func (s *Shape) violations(root *jsontree.Value, err error) []Violation {
	var top *jsonschema.ValidationError
	if !errors.As(err, &top) {
		return []Violation{{Keyword: "schema"}}
	}
	c := collector{shape: s, root: root}
	c.walk(top)
	c.withoutConsequences()
	slices.SortFunc(c.out, func(a, b Violation) int {
		return strings.Compare(a.Path+"\x00"+a.Keyword+"\x00"+a.Name+"\x00"+a.Pointer,
			b.Path+"\x00"+b.Keyword+"\x00"+b.Name+"\x00"+b.Pointer)
	})
	return slices.Compact(c.out)
}

type collector struct {
	shape *Shape
	root  *jsontree.Value
	out   []Violation
}

// withoutConsequences drops violations of unevaluatedProperties and unevaluatedItems where
// the same value breaks another keyword: a schema that fails has evaluated nothing (JSON
// Schema 2020-12 Core, 7.7.1).
func (c *collector) withoutConsequences() {
	c.out = slices.DeleteFunc(slices.Clone(c.out), func(v Violation) bool {
		if !v.rest {
			return false
		}
		of := v.Pointer[:strings.LastIndexByte(v.Pointer, '/')]
		return slices.ContainsFunc(c.out, func(o Violation) bool {
			return !o.rest && (o.Pointer == of || strings.HasPrefix(o.Pointer, of+"/"))
		})
	})
}

func (c *collector) walk(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		c.alternatives(e, "anyOf")
	case *kind.OneOf:
		c.alternatives(e, "oneOf")
	case *kind.Not:
		c.add(e, "not", "")
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		c.add(e, "contains", "")
	case *kind.PropertyNames:
		e.InstanceLocation = c.shape.holder(c.root, len(e.InstanceLocation), k.Property)
		c.add(e, "propertyNames", "")
	case *kind.Required:
		for _, m := range k.Missing {
			c.add(e, "required", m)
		}
	case *kind.DependentRequired:
		c.add(e, "dependentRequired", k.Prop)
	case *kind.AdditionalProperties:
		c.add(e, "additionalProperties", "")
	case *kind.Format:
		c.add(e, "format", "")
		c.out[len(c.out)-1].format = k.Want
	case *kind.Pattern:
		c.add(e, "pattern", "")
		c.out[len(c.out)-1].pattern = k.Want
	case *kind.Enum:
		c.add(e, "enum", "")
		c.out[len(c.out)-1].spaced = spaced(k.Got, k.Want...)
	case *kind.Const:
		c.add(e, "const", "")
		c.out[len(c.out)-1].spaced = spaced(k.Got, k.Want)
	case *kind.FalseSchema:
		c.add(e, "false", "")
		c.out[len(c.out)-1].rest = strings.HasSuffix(e.SchemaURL, "/unevaluatedProperties") || strings.HasSuffix(e.SchemaURL, "/unevaluatedItems")
	default:
		if len(e.Causes) == 0 {
			path := e.ErrorKind.KeywordPath()
			name := "schema"
			if len(path) > 0 {
				name = path[len(path)-1]
			}
			c.add(e, name, "")
			return
		}
		for _, cause := range e.Causes {
			c.walk(cause)
		}
	}
}

// alternatives adds what the merged alternative objects to. There are causes only if no
// alternative takes the value. If the value says that it is one of another alternative, the
// fault is that it matches none.
func (c *collector) alternatives(e *jsonschema.ValidationError, keyword string) {
	path, pointer := c.place(e)
	for _, one := range c.shape.merged[path] {
		if one.Keyword == keyword && one.Of == len(e.Causes) && !one.claimed(c.root.At(pointer)) {
			c.walk(e.Causes[one.Index])
			return
		}
	}
	c.add(e, keyword, "")
}

func (c *collector) add(e *jsonschema.ValidationError, keyword, name string) {
	path, pointer := c.place(e)
	c.out = append(c.out, Violation{Path: path, Pointer: pointer, Keyword: keyword, Name: name})
}

// place returns the path and the pointer of the value that an error is about.
func (c *collector) place(e *jsonschema.ValidationError) (path, pointer string) {
	at := c.root
	var p, q strings.Builder
	for _, seg := range e.InstanceLocation {
		esc := jsontree.EscapePointer(seg)
		q.WriteString("/" + esc)
		if at != nil && at.Kind == jsontree.Array {
			p.WriteString("/*")
		} else {
			p.WriteString("/" + esc)
		}
		at = at.At("/" + esc)
	}
	return p.String(), q.String()
}

// spaced reports whether a value is one of the wanted texts with white space around it.
func spaced(got any, want ...any) bool {
	text, isText := got.(string)
	return isText && slices.Contains(want, any(strings.TrimSpace(text)))
}
