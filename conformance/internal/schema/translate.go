package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// translate returns the document for each direction, in which every schema means in
// JSON Schema 2020-12 what it means in OpenAPI. Members keep their places, so
// pointers into the result are pointers into the document. Parts that need no
// change are shared with the document, which may be large.
func translate(root *jsontree.Value, openapi string) (roots [2]*jsontree.Value) {
	if strings.HasPrefix(openapi, "3.0") {
		root = changed(root, modern)
	}
	for d := range roots {
		roots[d] = Directed(root, Direction(d))
	}
	return roots
}

// Directed returns a document as it applies in a direction: the members that do not travel in it are not
// required.
func Directed(root *jsontree.Value, d Direction) *jsontree.Value {
	return changed(root, func(v *jsontree.Value) *jsontree.Value { return directed(v, d) })
}

// changed applies a change to every object, innermost first, and copies only the
// way to what changed. The change returns its argument or a copy.
func changed(v *jsontree.Value, change func(*jsontree.Value) *jsontree.Value) *jsontree.Value {
	out := v
	switch v.Kind {
	case jsontree.Array:
		for i, item := range v.Items {
			if n := changed(item, change); n != item {
				if out == v {
					out = v.Shallow()
				}
				out.Items[i] = n
			}
		}
	case jsontree.Object:
		for i, m := range v.Members {
			if n := changed(m.Value, change); n != m.Value {
				if out == v {
					out = v.Shallow()
				}
				out.Members[i].Value = n
			}
		}
		return change(out)
	}
	return out
}

// directed removes the members from "required" that do not travel in the direction.
func directed(v *jsontree.Value, d Direction) *jsontree.Value {
	flag := "readOnly"
	if d == Answers {
		flag = "writeOnly"
	}
	required, properties := v.Get("required"), v.Get("properties")
	if required == nil || properties == nil || required.Kind != jsontree.Array {
		return v
	}
	carried := carriedBy(properties, flag)
	kept := make([]*jsontree.Value, 0, len(required.Items))
	for _, n := range required.Items {
		if !carried[n.Text] {
			kept = append(kept, n)
		}
	}
	if len(kept) == len(required.Items) {
		return v
	}
	out, list := v.Shallow(), required.Shallow()
	list.Items = kept
	out.Set("required", list)
	return out
}

// carriedBy returns the properties with a flag.
func carriedBy(properties *jsontree.Value, flag string) map[string]bool {
	var out map[string]bool
	for _, p := range properties.Members {
		if f := p.Value.Get(flag); f != nil && f.Bool {
			if out == nil {
				out = map[string]bool{}
			}
			out[p.Name] = true
		}
	}
	return out
}

// modern replaces the keywords of OpenAPI 3.0 by those of 2020-12.
func modern(v *jsontree.Value) *jsontree.Value {
	if n := v.Get("nullable"); n != nil && n.Bool || v.Get("exclusiveMinimum") != nil || v.Get("exclusiveMaximum") != nil {
		v = v.Shallow()
		nullable(v)
		exclusive(v, "exclusiveMinimum", "minimum")
		exclusive(v, "exclusiveMaximum", "maximum")
	}
	return v
}

// looseNull marks a schema whose nullable may or may not allow null: readers of
// OpenAPI 3.0 disagree where it has no type, or an enum without null (3.0.3, 4.7.24).
const looseNull = "x-conformance-loose-null"

// nullable turns the keyword of OpenAPI 3.0 into a type list.
func nullable(v *jsontree.Value) {
	n, t, enum := v.Get("nullable"), v.Get("type"), v.Get("enum")
	if n == nil || !n.Bool {
		return
	}
	loose := t == nil
	if t != nil && t.Kind == jsontree.String {
		v.Set("type", jsontree.NewArray(jsontree.NewString(t.Text), jsontree.NewString("null")))
	}
	if enum != nil && enum.Kind == jsontree.Array && !slices.ContainsFunc(enum.Items, func(x *jsontree.Value) bool { return x.Kind == jsontree.Null }) {
		all := enum.Shallow()
		all.Items = append(all.Items, jsontree.NewNull())
		v.Set("enum", all)
		loose = true
	}
	if loose {
		v.Set(looseNull, jsontree.NewBool(true))
	}
}

// exclusive turns the boolean of OpenAPI 3.0 into the number of 2020-12.
func exclusive(v *jsontree.Value, flag, limit string) {
	f, l := v.Get(flag), v.Get(limit)
	if f == nil || f.Kind != jsontree.Bool {
		return
	}
	if f.Bool && l != nil && l.Kind == jsontree.Number {
		v.Set(flag, l)
		v.Remove(limit)
		return
	}
	v.Remove(flag)
}

// units is what the compiler of schemas reads of a document: one unit for each
// schema that is used or referred to, made on demand, with only the keywords that
// judge. A document of thousands of operations is mostly text and examples.
type units struct {
	root    *jsontree.Value
	base    string // of the URLs, such as mem://request/
	at      []string
	numbers map[string]int
	// targets are the URLs of the schemas that stand-ins replace; see Document.link.
	targets  []string
	standIns map[string]int
}

func newUnits(root *jsontree.Value, base string) *units {
	return &units{root: root, base: base, numbers: map[string]int{}, standIns: map[string]int{}}
}

// nesting says under which keywords a schema contains other schemas.
type nesting uint8

const (
	noSchema nesting = iota
	oneSchema
	listed
	keyed
)

// judging are the keywords that a validator checks. Others are annotations.
var judging = map[string]nesting{
	"type": noSchema, "format": noSchema, "enum": noSchema, "const": noSchema, "required": noSchema, "dependentRequired": noSchema,
	"minimum": noSchema, "maximum": noSchema, "exclusiveMinimum": noSchema, "exclusiveMaximum": noSchema, "multipleOf": noSchema,
	"minLength": noSchema, "maxLength": noSchema, "pattern": noSchema, "minItems": noSchema, "maxItems": noSchema, "uniqueItems": noSchema,
	"minContains": noSchema, "maxContains": noSchema, "minProperties": noSchema, "maxProperties": noSchema,
	"properties": keyed, "patternProperties": keyed, "dependentSchemas": keyed, "$defs": keyed,
	"allOf": listed, "anyOf": listed, "oneOf": listed, "prefixItems": listed,
	"items": oneSchema, "contains": oneSchema, "unevaluatedItems": oneSchema, "additionalProperties": oneSchema, "unevaluatedProperties": oneSchema,
	"propertyNames": oneSchema, "not": oneSchema, "if": oneSchema, "then": oneSchema, "else": oneSchema,
}

// URL returns the address of the schema at a JSON pointer.
func (u *units) URL(pointer string) string {
	root, rest := unitOf(pointer)
	n, known := u.numbers[root]
	if !known {
		n = len(u.at)
		u.numbers[root] = n
		u.at = append(u.at, root)
	}
	return u.base + strconv.Itoa(n) + "#" + jsontree.Fragment(rest)
}

// unitOf splits a pointer into the schema that is read as a unit and the path
// inside it, along keywords that judge.
func unitOf(pointer string) (root, rest string) {
	parts := strings.SplitN(pointer, "/", 5)
	if len(parts) < 5 || parts[1] != "components" || parts[2] != "schemas" {
		return pointer, ""
	}
	root = strings.Join(parts[:4], "/")
	way := strings.Split(parts[4], "/")
	for i := 0; i < len(way); i++ {
		switch name, _ := jsontree.UnescapePointer(way[i]); judging[name] {
		case oneSchema:
		case listed, keyed:
			if i++; i == len(way) {
				return pointer, ""
			}
		default:
			return pointer, ""
		}
	}
	return root, "/" + parts[4]
}

// Load returns the schema with a URL in the form that the validator expects.
func (u *units) Load(url string) (any, error) {
	if strings.HasPrefix(url, u.base+standing) {
		return true, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(url, u.base))
	if err != nil || n < 0 || n >= len(u.at) {
		return nil, fmt.Errorf("%s is outside the document: bring it inside", url)
	}
	v := u.root.At(u.at[n])
	if v == nil {
		return nil, fmt.Errorf("nothing at %s", u.at[n])
	}
	return u.schema(v), nil
}

func (u *units) schema(v *jsontree.Value) any {
	if v.Kind != jsontree.Object {
		return v.Native()
	}
	out := make(map[string]any, len(v.Members))
	for _, m := range v.Members {
		if ref := m.Value; m.Name == "$ref" && ref.Kind == jsontree.String {
			out[m.Name] = u.standIn(jsontree.FromFragment(ref.Text))
			continue
		}
		below, heeded := judging[m.Name]
		if !heeded {
			continue
		}
		switch {
		case below == listed && m.Value.Kind == jsontree.Array:
			list := make([]any, len(m.Value.Items))
			for i, item := range m.Value.Items {
				list[i] = u.schema(item)
			}
			out[m.Name] = list
		case below == keyed && m.Value.Kind == jsontree.Object:
			dict := make(map[string]any, len(m.Value.Members))
			for _, p := range m.Value.Members {
				dict[p.Name] = u.schema(p.Value)
			}
			out[m.Name] = dict
		case below == oneSchema:
			out[m.Name] = u.schema(m.Value)
		default:
			out[m.Name] = m.Value.Native()
		}
	}
	return out
}

// pointer is the inverse of URL: it returns the place in the document.
func (u *units) pointer(url string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(url, u.base), "#")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= len(u.at) {
		return ""
	}
	return u.at[n] + jsontree.FromFragment(url)
}

// plainly returns a message of the validator with pointers into the document.
func (u *units) plainly(message string) string {
	for from := 0; ; {
		i := strings.Index(message[from:], u.base)
		if i < 0 {
			return message
		}
		i += from
		end := i + len(u.base)
		for end < len(message) && (message[end] == '#' || message[end] >= '0' && message[end] <= '9') {
			end++
		}
		pointer := u.pointer(message[i:end])
		message, from = message[:i]+"#"+pointer+message[end:], i+len(pointer)
	}
}
