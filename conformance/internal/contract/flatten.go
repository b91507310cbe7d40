package contract

import (
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// flattener merges references and allOf into Schemas. Schemas are made afresh
// for every use, so that a merge never changes a shared one. A schema that
// contains itself is followed once into itself; schemas that refer to each other
// could be followed without end, so their number ends it too.
type flattener struct {
	root  *jsontree.Value
	stack []string
	depth int // of the stack, at most
	left  int // schemas that may still be made
	cut   bool
}

const (
	flattenDepth = 40
	leastDepth   = 4
	mostSchemas  = 400
	mostTurns    = 2
)

// flatten walks as deep as the number of schemas allows, every branch alike. It
// is cut where the document goes on below.
func flatten(root *jsontree.Value, pointer string) (s *Schema, cut bool) {
	for depth := flattenDepth; ; depth = max(leastDepth, depth*3/4) {
		f := flattener{root: root, depth: depth, left: mostSchemas}
		s = f.schema(pointer)
		if f.left >= 0 || depth == leastDepth {
			return s, f.cut
		}
	}
}

func (f *flattener) schema(pointer string) *Schema {
	s := &Schema{Pointer: pointer, Source: map[string]string{}}
	if f.left--; f.left < 0 {
		f.cut, s.Recursive = true, true
		return s
	}
	f.merge(s, pointer)
	return s
}

// again tells whether what stands at a pointer was followed often enough.
func (f *flattener) again(pointer string) bool {
	turns := 0
	for _, p := range f.stack {
		if p == pointer {
			turns++
		}
	}
	return turns >= mostTurns || len(f.stack) > f.depth
}

// merge adds what stands at pointer to s.
func (f *flattener) merge(s *Schema, pointer string) {
	node := f.root.At(pointer)
	if node == nil {
		return
	}
	if node.Kind == jsontree.Bool {
		s.Never = s.Never || !node.Bool
		return
	}
	if f.again(pointer) {
		f.cut, s.Recursive = true, true
		return
	}
	f.stack = append(f.stack, pointer)
	defer func() { f.stack = f.stack[:len(f.stack)-1] }()

	if ref := node.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") {
		target := unfragment(ref.Text)
		s.Name = target[strings.LastIndexByte(target, '/')+1:]
		f.merge(s, target)
	}
	if all := node.Get("allOf"); all != nil {
		name := s.Name
		for i := range all.Items {
			f.merge(s, pointer+"/allOf/"+strconv.Itoa(i))
		}
		s.Name = name
	}
	for _, m := range node.Members {
		f.keyword(s, pointer, m.Name, m.Value)
	}
}

func (f *flattener) keyword(s *Schema, pointer, name string, v *jsontree.Value) {
	at := pointer + "/" + jsontree.EscapePointer(name)
	if name != "properties" && name != "required" {
		s.Source[name] = at
	}
	switch name {
	case "type":
		s.Types = narrow(s.Types, texts(v))
	case "format":
		s.Format = v.Text
	case "properties":
		for _, m := range v.Members {
			f.property(s, at, m.Name)
		}
	case "required":
		for _, n := range v.Items {
			p := s.Property(n.Text)
			if p == nil {
				p = &Property{Name: n.Text, Schema: &Schema{Source: map[string]string{}}}
				s.Properties = append(s.Properties, p)
			}
			p.Required, p.Need = true, at
		}
	case "additionalProperties":
		s.Closed = s.Closed || v.Kind == jsontree.Bool && !v.Bool
		if v.Kind == jsontree.Object {
			s.Extra = f.schema(at)
		}
	case "patternProperties":
		for _, m := range v.Members {
			s.Patterns = append(s.Patterns, Keyed{m.Name, f.schema(at + "/" + jsontree.EscapePointer(m.Name))})
		}
	case "propertyNames":
		s.Names = f.schema(at)
	case "dependentRequired":
		for _, m := range v.Members {
			s.Dependent = append(s.Dependent, Dependent{m.Name, texts(m.Value)})
		}
	case "dependentSchemas":
		for _, m := range v.Members {
			s.Depending = append(s.Depending, Depending{m.Name, f.schema(at + "/" + jsontree.EscapePointer(m.Name))})
		}
	case "unevaluatedProperties":
		s.Unevaluated = f.schema(at)
	case "unevaluatedItems":
		s.Uncovered = f.schema(at)
	case "items":
		s.Items = f.schema(at)
	case "contains":
		s.Contains = f.schema(at)
	case "prefixItems":
		s.Prefix = f.list(at, v)
	case "anyOf":
		s.AnyOf = f.list(at, v)
	case "oneOf":
		s.OneOf = f.list(at, v)
	case "not":
		s.Not = f.schema(at)
	case "if":
		s.If = f.schema(at)
	case "then":
		s.Then = f.schema(at)
	case "else":
		s.Else = f.schema(at)
	default:
		s.scalar(name, v)
	}
}

func (f *flattener) property(s *Schema, at, name string) {
	pointer := at + "/" + jsontree.EscapePointer(name)
	if p := s.Property(name); p != nil {
		if p.Schema.Source == nil {
			p.Schema.Source = map[string]string{}
		}
		if p.Schema.Pointer == "" {
			p.Schema.Pointer = pointer
		}
		f.merge(p.Schema, pointer)
		return
	}
	s.Properties = append(s.Properties, &Property{Name: name, Schema: f.schema(pointer)})
}

func (f *flattener) list(at string, v *jsontree.Value) []*Schema {
	out := make([]*Schema, len(v.Items))
	for i := range v.Items {
		out[i] = f.schema(at + "/" + strconv.Itoa(i))
	}
	return out
}

// scalar takes the keywords that hold one value.
func (s *Schema) scalar(name string, v *jsontree.Value) {
	switch name {
	case "enum":
		s.Enum = v.Items
	case "const":
		s.Const = v
	case "minimum":
		s.Minimum = tighter(s.Minimum, v.Text, 1)
	case "maximum":
		s.Maximum = tighter(s.Maximum, v.Text, -1)
	case "exclusiveMinimum":
		if v.Kind == jsontree.Number {
			s.Above = tighter(s.Above, v.Text, 1)
		}
	case "exclusiveMaximum":
		if v.Kind == jsontree.Number {
			s.Below = tighter(s.Below, v.Text, -1)
		}
	case "multipleOf":
		s.Multiple = v.Text
	case "minLength":
		s.MinLength = bound(s.MinLength, v, 1)
	case "maxLength":
		s.MaxLength = bound(s.MaxLength, v, -1)
	case "pattern":
		s.Pattern = v.Text
	case "minItems":
		s.MinItems = bound(s.MinItems, v, 1)
	case "maxItems":
		s.MaxItems = bound(s.MaxItems, v, -1)
	case "minContains":
		s.MinContains = bound(s.MinContains, v, 1)
	case "maxContains":
		s.MaxContains = bound(s.MaxContains, v, -1)
	case "uniqueItems":
		s.Unique = s.Unique || v.Bool
	case "minProperties":
		s.MinProps = bound(s.MinProps, v, 1)
	case "maxProperties":
		s.MaxProps = bound(s.MaxProps, v, -1)
	case "readOnly":
		s.ReadOnly = v.Bool
	case "writeOnly":
		s.WriteOnly = v.Bool
	}
}

// tighter keeps the narrower of two number bounds; side is 1 for a lower bound.
func tighter(old, text string, side int) string {
	if old == "" || jsontree.Compare(text, old) == side {
		return text
	}
	return old
}

func bound(old *int, v *jsontree.Value, side int) *int {
	n, ok := jsontree.Int64(v.Text)
	if !ok || n > 1<<30 {
		return old
	}
	if old != nil && (int(n)-*old)*side <= 0 {
		return old
	}
	i := int(n)
	return &i
}

func texts(v *jsontree.Value) []string {
	if v.Kind == jsontree.String {
		return []string{v.Text}
	}
	var out []string
	for _, i := range v.Items {
		out = append(out, i.Text)
	}
	return out
}

// narrow intersects two type lists, as allOf does; integer is a kind of number.
func narrow(a, b []string) []string {
	if a == nil {
		return b
	}
	out := []string{}
	for _, t := range a {
		for _, u := range b {
			switch {
			case t == u:
				out = append(out, t)
			case t == "integer" && u == "number" || t == "number" && u == "integer":
				out = append(out, "integer")
			}
		}
	}
	return out
}
