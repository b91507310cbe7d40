// Package resource finds the resources of a document by its paths, methods and links: which
// operations make, read, change, delete and list resources of one kind. It finds which places
// of a request must name something that exists, and which other operations may give the
// values; and how lists are filtered and cut into pages. It reads only the document.
package resource

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Resource is one kind of thing. An operation that the document does not have is nil.
type Resource struct {
	// Path is that of one thing: "/users/{userId}".
	Path string
	// Make adds a resource to the collection above it. Without such an operation it is the one
	// whose answer names the resource, as a link or the user says, or the one that adds it to a
	// collection of the same name below another resource, or else Replace, if that is a PUT: the
	// client chooses the key.
	Make *openapi.Operation
	// Read, Head, Replace, Patch and Delete are the GET, HEAD, PUT, PATCH and DELETE of one
	// thing.
	Read, Head, Replace, Patch, Delete *openapi.Operation
	// List is the GET of the collection, or of the one that Make adds to.
	List *openapi.Operation
	// Parts are the other operations about one thing, such as POST /users/{userId}/mails.
	// They may name resources of their own that belong to it.
	Parts []*openapi.Operation
	// Linked are operations elsewhere whose request names the resource, as a link or the user
	// says.
	Linked []*openapi.Operation
	// Above are the kinds of resources above this one, the nearest first, if it belongs to one
	// of each.
	Above []*Resource
}

// All returns the resources that some operation makes, in the order of the document.
func All(ops []*openapi.Operation) []*Resource {
	at := map[string]map[string]*openapi.Operation{}
	var paths []string
	known := func(path string) map[string]*openapi.Operation {
		if at[path] == nil {
			at[path] = map[string]*openapi.Operation{}
			paths = append(paths, path)
		}
		return at[path]
	}
	for _, op := range ops {
		path := trimmed(op.Path)
		known(path)[op.Method] = op
		// A thing may have parts alone: the content of a file.
		for i, c := range path {
			if c == '/' && i > 0 && path[i-1] == '}' {
				known(path[:i])
			}
		}
	}
	var out []*Resource
	for _, path := range paths {
		collection, last := cut(path) // of the root, both are empty
		if !strings.HasSuffix(last, "}") {
			continue
		}
		item, above := at[path], at[collection]
		r := &Resource{Path: path, Make: above[http.MethodPost], List: above[http.MethodGet],
			Read: item[http.MethodGet], Head: item[http.MethodHead], Replace: item[http.MethodPut], Patch: item[http.MethodPatch], Delete: item[http.MethodDelete]}
		if r.Make = cmp.Or(r.Make, r.origin(ops), r.nested(ops), r.Replace); r.Make != nil {
			out = append(out, r)
			if made := at[trimmed(r.Make.Path)]; r.List == nil && r.Make.Method == http.MethodPost && !strings.HasSuffix(trimmed(r.Make.Path), "}") {
				r.List = made[http.MethodGet]
			}
		}
	}
	parts(out, ops)
	for _, r := range out {
		r.link(ops)
		r.Above = r.uppers(out, ops)
	}
	return out
}

// origin returns the operation among ops whose answer has the key of the resource, as a link
// or the user says, or nil.
func (r *Resource) origin(ops []*openapi.Operation) *openapi.Operation {
	names := openapi.Expressions(r.Path)
	key := openapi.PathPlace(names[len(names)-1])
	for _, op := range []*openapi.Operation{r.Read, r.Delete, r.Patch, r.Replace} {
		if op == nil {
			continue
		}
		for _, o := range op.Origins {
			if o.Place == key && o.Makes() && slices.Contains(ops, o.From) {
				return o.From
			}
		}
	}
	return nil
}

// nested returns the operation that makes a resource in a collection of the same name below
// another resource: POST /books/{bookId}/loans for /loans/{loanId}. Its answer has the form of
// what the GET of the resource reads. It is nil if there are none or several.
func (r *Resource) nested(ops []*openapi.Operation) *openapi.Operation {
	if r.Read == nil {
		return nil
	}
	collection := r.Path[:strings.LastIndexByte(r.Path, '/')]
	word := collection[strings.LastIndexByte(collection, '/')+1:]
	var found *openapi.Operation
	for _, op := range ops {
		path := trimmed(op.Path)
		below := strings.HasSuffix(path, "}/"+word) && !strings.Contains(word, "}")
		if op.Method != http.MethodPost || !below || op.IsAdditional() || !answersAlike(op, r.Read) {
			continue
		}
		if found != nil {
			return nil
		}
		found = op
	}
	return found
}

// answersAlike reports whether two operations answer with resources of the same schema, or
// with members of the same names.
func answersAlike(a, b *openapi.Operation) bool {
	for _, one := range answers(a) {
		for _, other := range answers(b) {
			if alike(one, other) {
				return true
			}
		}
	}
	return false
}

// answers returns the schemas of the documented successes of an operation.
func answers(op *openapi.Operation) []*schema.Schema {
	var out []*schema.Schema
	for _, a := range op.Documented(2) {
		for _, media := range a.Media {
			if media.Shape != nil && media.Shape.Schema.Type() == "object" {
				out = append(out, media.Shape.Schema)
			}
		}
	}
	return out
}

// link adds the operations that name the resource and whose path is not below that of its
// collection.
func (r *Resource) link(ops []*openapi.Operation) {
	collection := r.Path[:strings.LastIndexByte(r.Path, '/')]
	for _, op := range ops {
		named := slices.ContainsFunc(op.Origins, func(o openapi.Origin) bool { return o.From == r.Make && o.Makes() })
		if named && op != r.Make && trimmed(op.Path) != collection && !strings.HasPrefix(trimmed(op.Path)+"/", r.Path+"/") {
			r.Linked = append(r.Linked, op)
		}
	}
}

// parts adds each operation to the resources above its path.
func parts(list []*Resource, ops []*openapi.Operation) {
	at := map[string]*Resource{}
	for _, r := range list {
		at[r.Path] = r
	}
	for _, op := range ops {
		path := op.Path
		for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path, '/') {
			path = path[:i]
			if r := at[path]; r != nil && trimmed(op.Path) != path {
				r.Parts = append(r.Parts, op)
			}
		}
	}
}

// IsPart reports whether an operation is one of the parts and names no further thing.
func (r *Resource) IsPart(op *openapi.Operation) bool {
	return slices.Contains(r.Parts, op) && len(openapi.Expressions(op.Path)) == len(openapi.Expressions(r.Path))
}

// Holds reports whether the resources of another kind are made and read below those of this
// one.
func (r *Resource) Holds(o *Resource) bool {
	return o.Read != nil && slices.Contains(r.Parts, o.Read) && slices.Contains(r.Parts, o.Make)
}

// PartAt returns the part with a path and a method that names no further thing, or nil.
func (r *Resource) PartAt(path, method string) *openapi.Operation {
	i := slices.IndexFunc(r.Parts, func(op *openapi.Operation) bool {
		return op.Path == path && op.Method == method && r.IsPart(op)
	})
	if i < 0 {
		return nil
	}
	return r.Parts[i]
}

// GetOf returns the GET of what a HEAD is about, the resource or a part of it, or nil.
func (r *Resource) GetOf(op *openapi.Operation) *openapi.Operation {
	switch {
	case op == r.Head:
		return r.Read
	case op.Method == http.MethodHead && r.IsPart(op):
		return r.PartAt(op.Path, http.MethodGet)
	}
	return nil
}

// TakesJSONPatch reports whether the PATCH of a resource takes a JSON Patch (RFC 6902).
func (r *Resource) TakesJSONPatch() bool {
	return r.Patch != nil && r.Patch.Documents(openapi.JSONPatch)
}

// Dated reports whether the document gives the time of the last change when the resource is
// read.
func (r *Resource) Dated() bool {
	return r.Read != nil && slices.ContainsFunc(r.Read.Documented(2), func(a *openapi.Response) bool {
		return slices.ContainsFunc(a.Headers, func(h *openapi.Header) bool { return hints.Flat(h.Name) == "lastmodified" })
	})
}

// ChecksDates reports whether an operation may be asked with If-Unmodified-Since: the field
// does not count beside If-Match (RFC 9110, 13.1.4).
func ChecksDates(op *openapi.Operation) bool {
	return !slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "header" && hints.Flat(p.Name) == "ifmatch" && p.Required
	})
}

// Chosen reports whether the client chooses the key of a resource.
func (r *Resource) Chosen() bool { return r.Make == r.Replace }

// PutMissing returns the answer that the document lists for a PUT of a resource that does not
// exist. It is nil if there is none, and if the PUT may make the resource: the client chooses the
// key, or the document lists 201.
func (r *Resource) PutMissing() *openapi.Response {
	put := r.Replace
	if put == nil || r.Read == nil || r.Chosen() || put.Lists(http.StatusCreated) != nil {
		return nil
	}
	return cmp.Or(put.Lists(http.StatusNotFound), put.Lists(http.StatusGone))
}

// PutCreates returns the answer 201 of a PUT that may make a resource which a read can miss, or
// nil.
func (r *Resource) PutCreates() *openapi.Response {
	if r.Replace == nil || r.Make == nil || r.Read == nil || r.Read.Lists(http.StatusNotFound) == nil && r.Read.Lists(http.StatusGone) == nil {
		return nil
	}
	return r.Replace.Lists(http.StatusCreated)
}

// trimmed is a path without a slash at its end.
func trimmed(path string) string { return strings.TrimSuffix(path, "/") }

// ReplacesWhole reports whether the PUT of a resource has the whole of it in its body: it
// requires some members, and all those with which the resource is made. There is one that may be
// left out.
func (r *Resource) ReplacesWhole() bool {
	put := r.Replace
	if r.Read == nil || put == nil || put.Accepted.KeepsRest || len(put.Droppable(put.Accepted.ReplacesAll)) == 0 {
		return false
	}
	needs := required(put)
	for name := range required(r.Make) {
		if !needs[name] && !hints.IsKey(name) { // the path of the PUT has the key
			return false
		}
	}
	return put.Method == http.MethodPut && len(needs) > 0
}

// required returns the members that a body must have and that can be read.
func required(op *openapi.Operation) map[string]bool {
	out := map[string]bool{}
	if op.Body == nil || op.Body.Shape == nil {
		return out
	}
	for _, p := range op.Body.Shape.Schema.Properties {
		if p.Required && !p.Schema.ReadOnly && !p.Schema.WriteOnly {
			out[p.Name] = true
		}
	}
	return out
}

// NamedBy returns the member with which the body of a POST elsewhere refers to a resource, going
// by its name: customerId refers to what POST /customers makes. It is nil if there is none.
func (r *Resource) NamedBy(op *openapi.Operation) *openapi.Member {
	if op == nil || op.Method != http.MethodPost || op == r.Make || slices.Contains(r.Parts, op) || op.IsAdditional() {
		return nil
	}
	collection, _ := cut(r.Path)
	_, word := cut(collection)
	for _, m := range op.Members() {
		if strings.HasPrefix(m.Path, "/") && slices.Contains(op.Bind, m.Path) && hints.One(m.Refers("")) == hints.One(word) {
			return &m
		}
	}
	return nil
}

// Takes reports whether a request of an operation may have a header field with a value. What
// the document says nothing of may have any.
func Takes(op *openapi.Operation, field, value string) bool {
	return !slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "header" && strings.EqualFold(p.Name, field) && (p.Schema == nil || op.Params == nil || !op.Params.Matches(p.Schema, jsontree.NewString(value)))
	})
}

// Actions lists the operations that do something with a resource and need no other key, in the order
// of the document.
func (r *Resource) Actions() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range r.Parts {
		if r.IsPart(op) && (op.Method == http.MethodPost || op.Method == http.MethodPut || op.Method == http.MethodPatch) {
			out = append(out, op)
		}
	}
	return out
}

// Bound reports whether the document or the requirements file says of an operation about the resource that it is refused in
// some of the states that reading the resource shows, and whether an action may lead there.
func (r *Resource) Bound(op *openapi.Operation) bool {
	about := r.IsPart(op) || op == r.Patch || op == r.Replace || op == r.Delete
	if r.Read == nil || op == r.Make || !about {
		return false
	}
	if len(op.Accepted.AllowedIn) > 0 {
		return true
	}
	if op.Bound == nil || !slices.ContainsFunc(r.Actions(), func(act *openapi.Operation) bool { return !OnlyAsks(act) }) {
		return false
	}
	for _, answer := range r.Read.Documented(2) {
		for i := range answer.Media {
			if shape := answer.Media[i].Shape; shape != nil && op.BoundIn(shape.Schema) {
				return true
			}
		}
	}
	return false
}
