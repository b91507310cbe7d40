package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Adder returns the POST that adds items to a list below one thing, such as
// POST /pages/{pageId}/comments for the GET of that path. It is nil if a single item can be
// read, if what is posted has members that no item has, or if the list may leave out what
// was posted without being asked to.
func (r *Resource) Adder(list *openapi.Operation) *openapi.Operation {
	post := r.Fills(list)
	if post == nil || narrows(list) {
		return nil
	}
	single := func(op *openapi.Operation) bool {
		rest, below := strings.CutPrefix(op.Path, trimmed(list.Path)+"/{")
		return op.Method == http.MethodGet && below && strings.IndexByte(rest, '/') < 0
	}
	if !post.Accepted.Listed && slices.ContainsFunc(r.Parts, single) {
		return nil
	}
	return post
}

// Fills returns the POST at the path of a list below one thing, or nil. What is posted has
// only members that the items have.
func (r *Resource) Fills(list *openapi.Operation) *openapi.Operation {
	post := r.PartAt(list.Path, http.MethodPost)
	if list.Method != http.MethodGet || list.Listing == nil || !r.IsPart(list) || post == nil || !fits(post, list) {
		return nil
	}
	return post
}

// Adder returns the POST that adds items to a list at the top level, or nil. Like that of
// Resource.Adder, what it posts has only members that the items have, no single item can be read,
// and the list leaves out nothing without being asked to.
func Adder(ops []*openapi.Operation, list *openapi.Operation) *openapi.Operation {
	if list.Method != http.MethodGet || list.Listing == nil || strings.Contains(list.Path, "{") || narrows(list) {
		return nil
	}
	var post *openapi.Operation
	single := false
	for _, op := range ops {
		switch below, found := strings.CutPrefix(op.Path, trimmed(list.Path)+"/"); {
		case op.Method == http.MethodGet && found && strings.HasPrefix(below, "{"):
			single = true
		case op.Method == http.MethodPost && trimmed(op.Path) == trimmed(list.Path) && fits(op, list):
			post = op
		}
	}
	if post == nil || single && !post.Accepted.Listed {
		return nil
	}
	return post
}

// Setter returns the PUT of what the GET of a fixed path reads, such as the settings of a service, or
// nil. No operation makes it.
func Setter(ops []*openapi.Operation, get *openapi.Operation) *openapi.Operation {
	if get.Method != http.MethodGet || strings.Contains(get.Path, "{") {
		return nil
	}
	for _, op := range ops {
		if op.Method == http.MethodPut && op.Body != nil && trimmed(op.Path) == trimmed(get.Path) {
			return op
		}
	}
	return nil
}

// fits reports whether what is posted has only members that the items of a list have, or the file
// says that it is listed.
func fits(post, list *openapi.Operation) bool {
	if post.Body == nil || post.Body.Shape == nil {
		return false
	}
	if post.Accepted.Listed && list.Listing.Key != "" {
		return true
	}
	given, item := post.Body.Shape.Schema.Properties, list.Listing.Item
	other := func(p *schema.Property) bool { return item == nil || item.Property(p.Name) == nil }
	return len(given) > 0 && !slices.ContainsFunc(given, other)
}

// narrows reports whether a parameter chooses items although a request does not name it.
func narrows(list *openapi.Operation) bool {
	l := list.Listing
	return slices.ContainsFunc(list.Parameters, func(p *openapi.Parameter) bool {
		pages := p == l.Limit || p == l.Offset || p == l.Page || p == l.Cursor
		return p.In == "query" && !pages && (p.Required || p.Schema != nil && p.Schema.Default != nil && !sorts(l, p))
	})
}

func sorts(l *openapi.Listing, p *openapi.Parameter) bool {
	return slices.ContainsFunc(l.Orders, func(o openapi.Order) bool { return o.Parameter == p })
}

// LeavesSiblings reports whether a resource can be read after another one of its collection was
// deleted.
func (r *Resource) LeavesSiblings() bool {
	return r.Read != nil && r.Delete != nil && !r.Chosen() && r.Make.Method == http.MethodPost
}

// TakesOptional reports whether a POST takes optional members for resources that can be read.
func (r *Resource) TakesOptional() bool {
	return r.Read != nil && !r.Chosen() && r.Make.Method == http.MethodPost && r.Make.HasJSON() && len(r.Make.Body.Shape.Schema.Optional()) > 0
}

// ForOthers returns the answer with which an operation refuses a resource of another
// principal: 403, else 404. It is nil if the document lists none, or if the operation does
// not read, change or delete one thing that can be read, or a part of it. A PUT that makes a
// thing may make one of the same key for each principal.
func (r *Resource) ForOthers(op *openapi.Operation) *openapi.Response {
	changes := op == r.Patch || op == r.Delete || op == r.Replace && !r.Chosen()
	part := r.Read != nil && r.IsPart(op) && op.Method != http.MethodHead && r.ForOthers(r.Read) != nil
	if r.Read == nil || !op.Secured() || op != r.Read && op != r.Head && !changes && !part {
		return nil
	}
	if listed := op.Lists(http.StatusForbidden); listed != nil {
		return listed
	}
	if listed := op.Lists(http.StatusNotFound); listed != nil || !op.Accepted.Owned {
		return listed
	}
	return &openapi.Response{Pointer: op.Pointer + "/responses"}
}

// ChangesForOthers returns the operations that change or delete a resource and whose refusal of
// another principal the document lists.
func (r *Resource) ChangesForOthers() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range []*openapi.Operation{r.Patch, r.Replace, r.Delete} {
		if op != nil && r.ForOthers(op) != nil {
			out = append(out, op)
		}
	}
	return out
}

// ListsOwned reports whether an operation lists the resources, and the document lists an answer
// that refuses another principal one of them. A list below another resource is part of what
// that one keeps to itself.
func (r *Resource) ListsOwned(op *openapi.Operation) bool {
	keyed := op.Listing != nil && op.Listing.Key != ""
	return op == r.List && keyed && op.Secured() && r.Read != nil && (op.Accepted.Owned || r.ForOthers(r.Read) != nil) && len(openapi.Expressions(op.Path)) == 0 && !r.Chosen()
}

// uppers returns, for resources that a POST makes below one other thing each, the kinds of
// resources above them: the nearest first. It is empty for resources that several others may
// share, as far as the document shows that: they can be made or put in another place too.
func (r *Resource) uppers(all []*Resource, ops []*openapi.Operation) []*Resource {
	collection, _ := cut(r.Path)
	if r.Make.Method != http.MethodPost || trimmed(r.Make.Path) != collection || r.Replace != nil && r.Replace.Lists(http.StatusCreated) != nil || elsewhere(r, ops) {
		return nil
	}
	var out []*Resource
	for path, _ := cut(collection); path != ""; path, _ = cut(path) {
		i := slices.IndexFunc(all, func(o *Resource) bool { return o.Path == path })
		if i >= 0 && all[i].Read != nil && all[i].Make.Method == http.MethodPost && strings.HasPrefix(path, trimmed(all[i].Make.Path)+"/") {
			out = append(out, all[i])
		} else if len(out) == 0 {
			return nil // the nearest one has to be known
		}
	}
	return out
}

// cut splits a path before its last segment.
func cut(path string) (before, last string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// elsewhere reports whether a resource of the same kind can be made or put in another place.
func elsewhere(r *Resource, ops []*openapi.Operation) bool {
	collection, _ := cut(r.Path)
	_, word := cut(collection)
	return slices.ContainsFunc(ops, func(op *openapi.Operation) bool {
		path := trimmed(op.Path)
		if op.Method != http.MethodPost && op.Method != http.MethodPut || path == collection || strings.HasPrefix(path, r.Path) {
			return false
		}
		before, last := cut(path)
		if strings.HasSuffix(last, "}") {
			_, last = cut(before)
		}
		return last == word
	})
}

// Writes lists the operations that change one thing or delete it, or do something with it.
func (r *Resource) Writes() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range []*openapi.Operation{r.Replace, r.Patch, r.Delete} {
		if op != nil {
			out = append(out, op)
		}
	}
	for _, op := range r.Parts {
		if r.IsPart(op) && op.Method == http.MethodPost && !OnlyAsks(op) {
			out = append(out, op)
		}
	}
	return out
}

// OnlyAsks reports whether the path of an operation says that it changes nothing, and that
// what it answers may only be what would be.
func OnlyAsks(op *openapi.Operation) bool {
	_, last := cut(op.Path)
	return hints.Means(last, hints.Asking)
}

// SearchedAt reports whether the path of an operation says that it searches for the resources:
// GET /users/search beside /users/{userId}. Such a path lists what exists; others, such as
// /users/trash, may list what was deleted.
func (r *Resource) SearchedAt(op *openapi.Operation) bool {
	collection, _ := cut(r.Path)
	before, last := cut(trimmed(op.Path))
	return op.Method == http.MethodGet && before == collection && slices.ContainsFunc(hints.Names(hints.Search), func(word string) bool {
		return strings.HasPrefix(strings.ToLower(last), word)
	})
}

// Searches reports whether an operation searches for the resources and lists those that it finds,
// in the form in which one is read, with their keys.
func (r *Resource) Searches(op *openapi.Operation) bool {
	if r.Read == nil || !r.SearchedAt(op) || op.Listing == nil || op.Listing.Key == "" {
		return false
	}
	item := op.Listing.Item
	for _, a := range r.Read.Documented(2) {
		for _, media := range a.Media {
			if media.Shape != nil && alike(media.Shape.Schema, item) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two schemas are one, or have members of the same names.
func alike(a, b *schema.Schema) bool {
	a, b = a.Common(), b.Common()
	return a.Pointer == b.Pointer || len(a.Properties) > 0 && len(a.Properties) == len(b.Properties) &&
		!slices.ContainsFunc(a.Properties, func(p *schema.Property) bool { return b.Property(p.Name) == nil })
}

// TakesReadOnly lists the operations that make or change a resource and whose body has
// members that openapi.Operation.ReadOnly lists.
func (r *Resource) TakesReadOnly() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range []*openapi.Operation{r.Make, r.Replace, r.Patch} {
		if op != nil && len(op.ReadOnly()) > 0 && (op != r.Replace || !r.Chosen()) {
			out = append(out, op)
		}
	}
	return out
}

// MatchesAny returns the parameter If-Match of the PUT of a resource, if it may be an asterisk and
// the document lists how a PUT is refused where no such thing is. It is nil otherwise, and if
// the resource cannot be made, read and deleted.
func (r *Resource) MatchesAny() *openapi.Parameter {
	put := r.Replace
	if put == nil || r.Read == nil || r.Delete == nil || r.Chosen() || put.Params == nil || put.Lists(http.StatusPreconditionFailed) == nil && put.Lists(http.StatusNotFound) == nil {
		return nil
	}
	return asterisk(put, "If-Match")
}

// CreatesOnly returns the parameter If-None-Match of the PUT of a resource, if it may be an
// asterisk and the document lists 412. It is nil otherwise, and if the resource cannot be made
// and read.
func (r *Resource) CreatesOnly() *openapi.Parameter {
	put := r.Replace
	if put == nil || r.Read == nil || r.Make == nil || put.Params == nil || put.Lists(http.StatusPreconditionFailed) == nil {
		return nil
	}
	return asterisk(put, "If-None-Match")
}

// asterisk returns the parameter of an operation for a header field that may be an asterisk.
func asterisk(op *openapi.Operation, field string) *openapi.Parameter {
	i := slices.IndexFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "header" && strings.EqualFold(p.Name, field) && p.Schema != nil && op.Params.Matches(p.Schema, jsontree.NewString("*"))
	})
	if i < 0 {
		return nil
	}
	return op.Parameters[i]
}
