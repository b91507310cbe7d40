package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
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
	other := func(p *openapi.Property) bool { return item == nil || item.Property(p.Name) == nil }
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
