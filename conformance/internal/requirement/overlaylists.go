package requirement

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// lister reads a line about one list.
type lister struct {
	*overlayer
	line  string
	op    *openapi.Operation
	is    *openapi.Listing
	alone bool
}

// refuse complains about a key, unless the line is about other operations too.
func (l *lister) refuse(key, format string, args ...any) {
	if l.alone {
		l.overlayer.refuse(l.line+"/"+key, format, args...)
	}
}

// promise keeps what a key promises.
func (l *lister) promise(key, what string) {
	l.is.Promised = append(l.is.Promised, what)
	l.said[key] = true
}

// parameter returns the parameter of the query that a key names, or nil.
func (l *lister) parameter(key string) *openapi.Parameter {
	name, ok := l.text(l.line + "/" + key)
	if !ok {
		return nil
	}
	return l.named(key, name)
}

func (l *lister) named(key, name string) *openapi.Parameter {
	var beside []string
	for _, p := range l.op.Parameters {
		if p.In != "query" || p.Schema == nil {
			continue
		}
		if p.Name == name {
			return p
		}
		beside = append(beside, p.Name)
	}
	if len(beside) == 0 {
		l.refuse(key, "%s has no parameters in the query: remove %s", l.op.Name(), key)
	} else {
		l.refuse(key, "%s has no parameter %s in the query: use one of %s", l.op.Name(), show(name), some(beside))
	}
	return nil
}

// item reads which member identifies an item.
func (l *lister) item() {
	name, ok := l.text(l.line + "/key")
	switch {
	case !ok:
	case l.is.Item.Property(name) == nil:
		l.refuse("key", "the items have no member %s: use one that no two items share", show(name))
	default:
		l.is.Key, l.said["key"] = name, true
	}
}

// pages reads what bounds a page and what leads to the next one.
func (l *lister) pages() {
	if p := l.parameter("limit"); p != nil {
		if resource.Limit(l.op, l.is, p) {
			l.promise("limit", promisedLimit)
		} else {
			l.refuse("limit", "%s allows no page of 20 items or fewer: leave limit out", p.Name)
		}
	}
	l.next()
	for _, key := range []string{"offset", "page", "cursor"} {
		p := l.parameter(key)
		switch {
		case p == nil:
			continue
		case l.is.Limit == nil || l.is.Key == "":
			l.refuse(key, "pages of %s cannot be told apart: add limit, and key if the items have no id", l.op.Name())
			continue
		}
		l.is.Offset, l.is.Page, l.is.Cursor = nil, nil, nil
		switch key {
		case "offset":
			resource.Offset(l.is, p)
		case "page":
			resource.Numbered(l.is, p)
		default:
			if !resource.Cursor(l.is, p) {
				l.refuse(key, "where an answer names the next page is not known: add next, a pointer such as /next or the name of a header field")
				continue
			}
		}
		l.promise(key, promisedPages)
	}
}

// next reads where an answer names the next page.
func (l *lister) next() {
	if at, ok := l.text(l.line + "/next"); ok {
		if l.is.Next, l.is.NextField = l.place("next", at); l.is.Next+l.is.NextField != "" {
			l.said["next"] = true
		}
	}
}

// total reads where an answer counts the items of all pages.
func (l *lister) total() {
	at, ok := l.text(l.line + "/total")
	if !ok {
		return
	}
	if l.is.Total, l.is.TotalField = l.place("total", at); l.is.Total+l.is.TotalField != "" {
		l.promise("total", promisedTotal)
	}
}

// place reads a pointer to a member of the answer, or the name of a documented header
// field.
func (l *lister) place(key, at string) (pointer, field string) {
	if strings.HasPrefix(at, "/") {
		found := locate(answers(l.op), at)
		switch {
		case len(found.schemas) > 0:
			return at, ""
		case len(found.beside) > 0:
			l.refuse(key, "%s is not a place in the answer: use one of %s", show(at), some(found.beside))
		default:
			l.refuse(key, "%s is not a place in the answer: it has no members there", show(at))
		}
		return "", ""
	}
	var names []string
	for _, r := range l.op.Documented(2) {
		for _, h := range r.Headers {
			if strings.EqualFold(h.Name, at) {
				return "", h.Name
			}
			names = append(names, h.Name)
		}
	}
	if len(names) == 0 {
		l.refuse(key, "%s is neither a pointer such as /%s nor a documented header field of the answer", show(at), at)
	} else {
		l.refuse(key, "%s is neither a pointer such as /%s nor one of the header fields %s", show(at), at, some(names))
	}
	return "", ""
}

// filters reads which parameters keep out items of another value.
func (l *lister) filters() {
	for _, at := range l.list(l.line + "/filters") {
		key := strings.TrimPrefix(at, l.line+"/")
		name, which := "", ""
		if v := l.at(at); v.Kind == jsontree.Object && len(v.Members) == 1 {
			name = v.Members[0].Name
			if which = v.Members[0].Value.Text; which != "all" && which != "any" {
				l.overlayer.refuse(at, "bad %s: write all or any, for items that have all of several values, or one of them", show(name))
			}
		} else if text, ok := l.text(at); ok {
			name = text
		}
		if name == "" {
			continue
		}
		p := l.named(key, name)
		if p == nil {
			continue
		}
		found := resource.FiltersBy(l.is, p)
		if len(found) == 0 {
			l.refuse(key, "the items have no member %s with such values: leave it out", show(name))
			continue
		}
		found[0].Of = which
		l.is.Filters = append(slices.DeleteFunc(slices.Clone(l.is.Filters), func(other openapi.Filter) bool { return other.Parameter == p }), found...)
		l.promise(key, promisedFilter+p.Name)
	}
}

// order reads which parameter sorts the items.
func (l *lister) order(key string) {
	p := l.parameter(key)
	if p == nil {
		return
	}
	if l.is.Orders = resource.Orders(l.op, l.is, p); len(l.is.Orders) == 0 {
		l.refuse(key, "%s has no enum with the names of members: leave %s out", p.Name, key)
	}
	l.promise(key, promisedSort)
}

// pagingKeys are those of a line about lists.
func pagingKeys() []string {
	return []string{"limit", "offset", "page", "cursor", "next", "total", "key", "filters", "sort"}
}

// paging reads what the file promises of lists: one mapping for all operations that list
// resources, or a list with a mapping for each.
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

// lists names the operations that list resources.
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
