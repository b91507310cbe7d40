package schema

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// finite finds schemas that no finite value satisfies, because each value must
// contain another of its kind, or because the schema is nothing but a reference to
// itself. In doubt it accepts the schema.
//
// It looks for the least set of schemas that end: in each pass a reference counts
// as endless until it is known to end, and passes follow until one finds nothing
// new.
type finite struct {
	root *jsontree.Value
	ends map[string]bool // references that are known to end
	seen map[string]bool // references that this pass has followed
	more bool            // this pass found one that ends
	// chain is the place of the first reference that led back to itself.
	chain string
	open  map[string]bool
}

func newFinite(root *jsontree.Value) *finite {
	return &finite{root: root, ends: map[string]bool{}}
}

// How much is examined before the document is accepted.
const (
	finiteDepth  = 2000
	finitePasses = 50
)

// at reports whether a finite value satisfies the schema at a pointer.
func (f *finite) at(pointer string) bool {
	for range finitePasses {
		f.seen, f.open, f.more, f.chain = map[string]bool{}, map[string]bool{}, false, ""
		if f.schema(pointer, 0) {
			return true
		}
		if !f.more {
			return false
		}
	}
	return true
}

func (f *finite) schema(pointer string, depth int) bool {
	v := f.root.At(pointer)
	if v == nil || v.Kind != jsontree.Object || depth > finiteDepth {
		return true
	}
	if v.Get("enum") != nil || v.Get("const") != nil {
		return true
	}
	if ref := v.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") && !f.follow(jsontree.FromFragment(ref.Text), pointer, depth) {
		return false
	}
	if all := v.Get("allOf"); all != nil {
		for i := range all.Items {
			if !f.schema(pointer+"/allOf/"+strconv.Itoa(i), depth+1) {
				return false
			}
		}
	}
	for _, some := range []string{"oneOf", "anyOf"} {
		list := v.Get(some)
		if list == nil || len(list.Items) == 0 {
			continue
		}
		found := false
		for i := range list.Items {
			found = found || f.schema(pointer+"/"+some+"/"+strconv.Itoa(i), depth+1)
		}
		if !found {
			return false
		}
	}
	return f.alone(v, pointer, depth)
}

// alone examines what the keywords of one schema require of members and items. A
// value of another type need not have them.
func (f *finite) alone(v *jsontree.Value, pointer string, depth int) bool {
	t := v.Get("type")
	if t == nil {
		return true
	}
	for _, name := range t.Texts() {
		switch name {
		case "object":
			if f.object(v, pointer, depth) {
				return true
			}
		case "array":
			if f.array(v, pointer, depth) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (f *finite) object(v *jsontree.Value, pointer string, depth int) bool {
	required, properties := v.Get("required"), v.Get("properties")
	if required == nil || properties == nil {
		return true
	}
	needed := required.Texts()
	for _, m := range properties.Members {
		if slices.Contains(needed, m.Name) && !f.schema(pointer+"/properties/"+jsontree.EscapePointer(m.Name), depth+1) {
			return false
		}
	}
	return true
}

func (f *finite) array(v *jsontree.Value, pointer string, depth int) bool {
	minimum := v.Get("minItems")
	if minimum == nil || v.Get("items") == nil || v.Get("prefixItems") != nil {
		return true
	}
	if n, ok := jsontree.Int64(minimum.Text); !ok || n < 1 {
		return true
	}
	return f.schema(pointer+"/items", depth+1)
}

func (f *finite) follow(target, from string, depth int) bool {
	if f.ends[target] {
		return true
	}
	if f.open[target] && f.chain == "" {
		f.chain = from
	}
	if f.seen[target] {
		return false
	}
	f.seen[target], f.open[target] = true, true
	if f.schema(target, depth+1) {
		f.ends[target], f.more = true, true
	}
	delete(f.open, target)
	return f.ends[target]
}
