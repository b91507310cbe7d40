package openapi

import (
	"net/url"
	"path"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// reference checks a plain JSON pointer into the document at once, and puts
// others aside until all names are known.
func (r *resolver) reference(holder, ref *jsontree.Value, x reference) {
	keyword := keywordOf(x.dynamic)
	if !x.dynamic && r.settled[holder] {
		return
	}
	if ref.Kind != jsontree.String {
		r.fail(holder, r.here(), keyword, "is not a string: fix it")
		return
	}
	if !x.dynamic && x.in == r.base && strings.HasPrefix(ref.Text, "#/") {
		pointer, why := r.find(x, ref.Text)
		if why != "" {
			r.fail(holder, r.here(), keyword, "%q %s", jsontree.Cut(ref.Text, 200), why)
			return
		}
		if r.kindAt(pointer) == x.kind && wellFormed(ref.Text) {
			return
		}
	}
	x.holder, x.pointer = holder, r.here()
	r.waiting = append(r.waiting, x)
}

func keywordOf(dynamic bool) string {
	if dynamic {
		return "$dynamicRef"
	}
	return "$ref"
}

// settle writes a reference as a JSON pointer into the document.
func (r *resolver) settle(x reference) {
	keyword := keywordOf(x.dynamic)
	ref := x.holder.Get(keyword)
	if ref == nil || !x.dynamic && r.settled[x.holder] {
		return // settled on another way here
	}
	text := ref.Text
	pointer, why := r.find(x, text)
	if why != "" {
		r.fail(x.holder, x.pointer, keyword, "%q %s", jsontree.Cut(text, 200), why)
		return
	}
	r.visit(pointer, x.kind)
	plain := "#" + (&url.URL{Path: pointer}).EscapedPath()
	switch {
	case !x.dynamic && x.in == r.base && strings.HasPrefix(text, "#/") && wellFormed(text):
	case !x.dynamic:
		x.holder.Set("$ref", jsontree.NewString(plain))
		r.settled[x.holder] = true
	case x.dynamic:
		x.holder.Remove("$dynamicRef")
		r.alsoRefer(x.holder, plain)
	}
}

// alsoRefer adds a reference to a schema that may have one.
func (r *resolver) alsoRefer(v *jsontree.Value, plain string) {
	if v.Get("$ref") == nil {
		v.Set("$ref", jsontree.NewString(plain))
		r.settled[v] = true // who comes by on another way finds a pointer into the document
		return
	}
	more := jsontree.NewObject(jsontree.M("$ref", jsontree.NewString(plain)))
	r.settled[more] = true
	if all := v.Get("allOf"); all != nil && all.Kind == jsontree.Array {
		all.Items = append(all.Items, more)
		return
	}
	v.Set("allOf", jsontree.NewArray(more))
}

// find gives the JSON pointer that a reference means, or why it means none.
func (r *resolver) find(x reference, text string) (pointer, why string) {
	key := target{x.kind, x.in.uri.String() + " " + text}
	if x.in == r.base {
		key.uri = text
	}
	if p, ok := r.known[key]; ok && !x.dynamic {
		return p, ""
	}
	before, fragment, _ := strings.Cut(text, "#")
	in := x.in
	if before != "" {
		u, err := url.Parse(before)
		if err != nil {
			return "", "is not a URI reference: fix it"
		}
		at := x.in.uri.ResolveReference(u)
		if in = r.resources[at.String()]; in == nil {
			if in, why = r.include(at); why != "" {
				return "", why
			}
		}
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	switch {
	case fragment == "" || fragment[0] == '/':
		pointer = in.pointer + fragment
		if r.root.At(pointer) != nil {
			break
		}
		why = "points at nothing: fix the pointer"
		if in != r.base && r.root.At(fragment) != nil {
			why += ", which begins at the $id of " + orRoot(in.pointer) + "; write " + path.Base(r.base.uri.Path) + "#" + fragment
		}
		return "", why
	default:
		a, ok := in.anchors[fragment]
		if !ok {
			return "", "points at nothing: no schema here has this $anchor"
		}
		if x.dynamic && a.dynamic && r.dynamic[fragment] > 1 {
			return "", "can refer to several $dynamicAnchors, which is not supported yet: use $ref"
		}
		pointer = a.pointer
	}
	r.known[key] = pointer
	return pointer, ""
}

// visit walks the target of a reference where the walk of the document does not
// come by: below an unknown name, or as an object of another kind.
func (r *resolver) visit(pointer string, k objectKind) {
	if r.kindAt(pointer) == k {
		return
	}
	v := r.root.At(pointer)
	if v == nil || r.seen[v] {
		return
	}
	r.seen[v] = true
	outer := r.path
	r.path = nil
	for _, token := range strings.Split(pointer, "/")[1:] {
		name, _ := jsontree.UnescapePointer(token)
		r.path = append(r.path, name)
	}
	r.object(v, k, r.around(pointer))
	r.path = outer
}

// wellFormed reports whether every reader takes the same pointer from a reference.
func wellFormed(text string) bool {
	_, err := url.Parse(text)
	return err == nil
}

// kindAt tells which object of OpenAPI stands at a JSON pointer.
func (r *resolver) kindAt(pointer string) objectKind {
	k, inside := parsedDocument, member{}
	deep := false   // inside is entered, its key or index comes next
	either := false // k itself or an array of it
	for _, token := range strings.Split(pointer, "/")[1:] {
		name, _ := jsontree.UnescapePointer(token)
		if deep {
			if inside.shape == paths && strings.HasPrefix(name, "x-") {
				return other
			}
			k, deep = inside.kind, false
			continue
		}
		m, ok := k.below(name)
		switch {
		case !ok && either && name != "" && strings.Trim(name, "0123456789") == "":
			either = false
		case !ok:
			return other
		case m.shape == one, m.shape == most:
			k, either = m.kind, m.shape == most
		default:
			inside, deep, either = m, true, false
		}
	}
	if deep {
		return other
	}
	return k
}
