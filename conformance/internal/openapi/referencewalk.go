package openapi

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// object walks one object of a kind; in is the resource around it.
func (r *resolver) object(v *jsontree.Value, k objectKind, in *resource) {
	if v == nil || v.Kind != jsontree.Object {
		return
	}
	if k == schemaObject {
		in = r.identify(v, in)
	}
	if ref := v.Get("$ref"); ref != nil && k.refers() {
		r.reference(v, ref, reference{in: in, kind: k})
	}
	for i := range v.Members {
		m := &v.Members[i]
		below, ok := k.below(m.Name)
		if !ok || m.Value == nil {
			continue
		}
		r.path = append(r.path, m.Name)
		r.member(m.Value, below, in)
		r.path = r.path[:len(r.path)-1]
	}
}

func (r *resolver) member(v *jsontree.Value, m member, in *resource) {
	switch {
	case m.shape == one, m.shape == maximum && v.Kind == jsontree.Object:
		r.object(v, m.kind, in)
	case m.shape == list || m.shape == maximum:
		for i, item := range v.Items {
			r.step(strconv.Itoa(i), item, m.kind, in)
		}
	default:
		for _, x := range v.Members {
			if m.shape != paths || !strings.HasPrefix(x.Name, "x-") {
				r.step(x.Name, x.Value, m.kind, in)
			}
		}
	}
}

func (r *resolver) step(name string, v *jsontree.Value, k objectKind, in *resource) {
	r.path = append(r.path, name)
	r.object(v, k, in)
	r.path = r.path[:len(r.path)-1]
}

// identify reads the names that a schema gives itself and takes them out.
func (r *resolver) identify(v *jsontree.Value, in *resource) *resource {
	r.dialectOf(v, "$schema")
	v.Remove("$schema")
	if id := r.text(v, "$id"); id != "" && !r.old {
		in = r.enter(v, id, in)
	}
	v.Remove("$id")
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name := r.text(v, keyword); name != "" && !r.old {
			r.anchor(v, name, in, keyword == "$dynamicAnchor")
		}
		v.Remove(keyword)
	}
	if ref := v.Get("$dynamicRef"); ref != nil {
		if r.old {
			v.Remove("$dynamicRef")
		} else {
			r.reference(v, ref, reference{in: in, kind: schemaObject, dynamic: true})
		}
	}
	return in
}

// enter opens the resource that an $id names. Nothing is fetched from there: it
// is an identifier (JSON Schema 2020-12, core, 8.2.1).
func (r *resolver) enter(v *jsontree.Value, id string, in *resource) *resource {
	u, err := url.Parse(id)
	if err != nil || u.Fragment != "" {
		r.fail(v, r.here(), "$id", "%q is not a URI without a fragment: fix it or leave it out", jsontree.Cut(id, 200))
		return in
	}
	u = in.uri.ResolveReference(u)
	u.Fragment = ""
	key := u.String()
	if old := r.resources[key]; old != nil {
		r.fail(v, r.here(), "$id", "%q is also that of %s: give each its own", jsontree.Cut(id, 200), orRoot(old.pointer))
		return in
	}
	r.resources[key] = &resource{uri: u, pointer: r.here()}
	return r.resources[key]
}

func (r *resolver) anchor(v *jsontree.Value, name string, in *resource, dynamic bool) {
	if in.anchors == nil {
		in.anchors = map[string]anchor{}
	}
	here := r.here()
	if old, ok := in.anchors[name]; ok && old.pointer != here {
		r.fail(v, here, keywordOfAnchor(dynamic), "%q is also that of %s: give each its own", jsontree.Cut(name, 200), orRoot(old.pointer))
		return
	}
	in.anchors[name] = anchor{here, dynamic}
	if dynamic {
		if r.dynamic == nil {
			r.dynamic = map[string]int{}
		}
		r.dynamic[name]++
	}
}

// dialectOf refuses a dialect that stands elsewhere.
func (r *resolver) dialectOf(v *jsontree.Value, keyword string) {
	uri := r.text(v, keyword)
	if uri == "" {
		return
	}
	switch known, old := dialect(uri); {
	case !known && len(r.path) == 0 && keyword == "$schema":
		// A hint for editors, which OpenAPI does not know.
	case !known:
		r.fail(v, r.here(), keyword, "%q leaves the document: this suite reads JSON Schema 2020-12 and the dialect of OpenAPI 3.1; name one of them or leave it out",
			jsontree.Cut(uri, 200)).Beyond = true
	case old != "":
		r.note("schemas of JSON Schema " + old + " are read as 2020-12")
	}
}

// text gives the string below a keyword; empty where there is none.
func (r *resolver) text(v *jsontree.Value, keyword string) string {
	x := v.Get(keyword)
	if x == nil {
		return ""
	}
	if x.Kind != jsontree.String {
		r.fail(v, r.here(), keyword, "is not a string: fix it or leave it out")
		return ""
	}
	return x.Text
}

func keywordOfAnchor(dynamic bool) string {
	if dynamic {
		return "$dynamicAnchor"
	}
	return "$anchor"
}

func orRoot(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	return pointer
}

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
			r.fail(holder, r.here(), keyword, "%q %s", jsontree.Cut(ref.Text, 200), why).Beyond = why == severalAnchors
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

// severalAnchors says why a $dynamicRef is not followed, although it means something.
const severalAnchors = "can refer to several $dynamicAnchors, which is not supported yet: use $ref"

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
		r.fail(x.holder, x.pointer, keyword, "%q %s", jsontree.Cut(text, 200), why).Beyond = why == severalAnchors
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
			return "", severalAnchors
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
		case !ok && either && jsontree.Digits(name):
			either = false
		case !ok:
			return other
		case m.shape == one, m.shape == maximum:
			k, either = m.kind, m.shape == maximum
		default:
			inside, deep, either = m, true, false
		}
	}
	if deep {
		return other
	}
	return k
}
