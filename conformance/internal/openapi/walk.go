package openapi

import (
	"net/url"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// object walks one object of a kind; in is the resource around it.
func (r *resolver) object(v *jsontree.Value, k objectKind, in *resource) {
	if v == nil || v.Kind != jsontree.Object {
		return
	}
	if k == schema {
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
	case m.shape == one, m.shape == most && v.Kind == jsontree.Object:
		r.object(v, m.kind, in)
	case m.shape == list || m.shape == most:
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
			r.reference(v, ref, reference{in: in, kind: schema, dynamic: true})
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
			jsontree.Cut(uri, 200))
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
