package schema

import (
	"slices"
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
