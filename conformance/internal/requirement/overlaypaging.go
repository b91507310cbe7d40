package requirement

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
)

// pagingKeys are those of a line about lists.
func pagingKeys() []string {
	return []string{"limit", "offset", "page", "cursor", "next", "total", "key", "filters", "sort"}
}

// paging reads what the file promises of lists: one mapping for all operations that list
// things, or a list with a mapping for each.
func (o *overlayer) paging() {
	const at = "/paging"
	switch v := o.at(at); {
	case v == nil || v.Kind == jsontree.Null:
	case v.Kind == jsontree.Array:
		for _, line := range o.list(at) {
			if !o.object(line, "the line about a list", append([]string{"operation"}, pagingKeys()...)...) {
				return
			}
			name, ok := o.text(line + "/operation")
			if !ok {
				o.refuse(line, "operation is missing: name the one that lists things, such as %s", o.lists())
				return
			}
			op := o.c.Find(name)
			if op == nil || op.Listing == nil {
				o.refuse(line+"/operation", "%s is no operation that lists things: use one of %s", show(name), o.lists())
				return
			}
			o.listing(line, op, true)
		}
	default:
		if !o.object(at, "paging", pagingKeys()...) {
			return
		}
		for _, op := range o.c.Operations {
			if op.Listing != nil {
				o.listing(at, op, false)
			}
		}
		keys := pagingKeys()
		for _, item := range o.list(at + "/filters") {
			keys = append(keys, strings.TrimPrefix(item, at+"/"))
		}
		for _, key := range keys {
			if key != "filters" && o.at(at+"/"+key) != nil && !o.said[key] {
				o.refuse(at+"/"+key, "no list has this: correct it, or write a line for each list, with operation, one of %s", o.lists())
			}
		}
	}
}

// pagesOf reads the lines of an operation about the list that it reads.
func (o *overlayer) pagesOf(at string, op *openapi.Operation) {
	i := slices.IndexFunc(pageKeys[:], func(key string) bool { return o.at(at+"/"+key) != nil })
	switch {
	case i < 0:
		return
	case op.Listing == nil:
		o.refuse(at+"/"+pageKeys[i], "%s is no operation that lists things: use one of %s", op.Name(), o.lists())
		return
	}
	if paging := at + "/paging"; o.at(paging) != nil {
		if !o.object(paging, "paging", pagingKeys()...) {
			return
		}
		o.listing(paging, op, true)
	}
	l := lister{o, at, op, o.listingOf(op, at), true}
	l.total()
	l.filters()
	l.order("order")
}

// lists names the operations that list things.
func (o *overlayer) lists() string {
	var out []string
	for _, op := range o.c.Operations {
		if op.Listing != nil {
			out = append(out, op.Name())
		}
	}
	return some(out)
}

// placedListing is a listing with the operation that it belongs to, and with the line that speaks
// of it first.
type placedListing struct {
	op *openapi.Operation
	is *openapi.Listing
	at string
}

// promise adds or changes the rows about a list.
func (o *overlayer) promise(l placedListing) {
	if len(l.is.Promised) == 0 {
		return
	}
	for _, r := range listRows(l.op, l.is) {
		r.Clause.Pointer = o.c.Clause(r.Clause.Pointer)
		if r.Level == report.Must {
			r.Clause.Section = report.AcceptedAt + o.tree.Where(l.at)
		}
		if known := o.known[r.ID]; known != nil && known.Rule == r.Rule {
			*known = *r
			continue
		}
		o.out.List = append(o.out.List, r)
		o.known[r.ID] = r
	}
}

// listing reads one line for an operation. A line about all operations leaves out what
// an operation does not have.
func (o *overlayer) listing(at string, op *openapi.Operation, alone bool) {
	if o.given["paging "+op.Slug] != "" {
		o.refuse(at, "%s is given twice, first at %s: remove one", op.Name(), o.given["paging "+op.Slug])
		return
	}
	l := lister{o, at, op, o.listingOf(op, at), alone}
	before := len(l.is.Promised)
	l.item()
	l.pages()
	l.total()
	l.filters()
	l.order("sort")
	if alone && len(l.is.Promised) == before {
		o.refuse(at, "the line promises nothing: add one of %s", some(pagingKeys()))
	}
	if alone {
		o.given["paging "+op.Slug] = o.tree.Where(at)
	}
}

// listingOf returns what the file has said so far of the list that an operation reads.
func (o *overlayer) listingOf(op *openapi.Operation, at string) *openapi.Listing {
	for _, l := range o.listings {
		if l.op == op {
			return l.is
		}
	}
	is := *op.Listing
	is.Promised = nil
	o.listings = append(o.listings, placedListing{op, &is, at})
	return &is
}
