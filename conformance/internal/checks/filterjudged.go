package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// filtered: a filter keeps out what has another value, or one on the wrong side.
var filtered = requirement.Rule{
	Name:        "filtered",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a filter gives other items than it names",
	Line:        "filters",
	Doc:         "From names the parameter. The items of a list with the parameter have its value in the member of that name, or the text of it, or a value on the right side of it, where the parameter is a bound: the value itself may be in the list or not, and days begin at another time in each zone. What the case made with that value is among them, if another page shows it, and if this one has room for it: that page has more items, or the last item here comes behind it in the order that was asked for. A page of few items is not empty where a larger one has it. An item without the member is not judged.",
	Explanation: "A list with the parameter has only items with that value, or on that side of it, and all of what was created with it. Items that do not show the member are not judged, nor are those with the value of a bound itself.",
	Fix:         "Apply the parameter to the query of the database, before the page is cut.",
	Check: func(p *requirement.Input) requirement.Outcome {
		l := p.Op.Listing
		if l == nil {
			return requirement.None
		}
		i := slices.IndexFunc(l.Filters, func(f openapi.Filter) bool { return f.Place() == p.Requirement.Args.From })
		if i < 0 {
			return requirement.None
		}
		return sifted(p, &l.Filters[i])
	},
}

// sifted judges what one filter does.
func sifted(p *requirement.Input, f *openapi.Filter) requirement.Outcome {
	all := listings(p)
	parts := slices.DeleteFunc(slices.Clone(all), func(one listing) bool { return one.sent.Body.At(f.Place()) == nil })
	judged := false
	// A bound far away, or a resource that all items belong to, shows nothing until an item is
	// left out.
	shows := f.Bound == openapi.Same && hints.Refers(f.Member) == ""
	for _, part := range parts {
		want := part.sent.Body.At(f.Place())
		for _, item := range part.items {
			if may, _, known := passes(f, want, item); known && !may {
				return requirement.Failed("other value", "items with "+f.Member+on(f.Bound)+" "+shown(p, want)+" alone", f.Member+" "+shown(p, item.Get(f.Member)))
			} else if known && shows {
				judged = true
			}
		}
		if hidden(p, f, part, parts) {
			return requirement.Failed("missing", "what was made with "+f.Member+" "+shown(p, want)+", as on a larger page", "0 items")
		}
		for _, other := range parts {
			if among(f, &other, &part) && len(part.items) < len(other.items) {
				return requirement.Failed("missing", "at least "+counted(len(other.items))+", as with "+f.Member+" "+shown(p, other.sent.Body.At(f.Place()))+" alone", counted(len(part.items)))
			}
		}
		for _, whole := range all {
			for i, item := range whole.items {
				may, must, known := passes(f, want, item)
				if known && !may {
					judged = true // it was left out
				}
				if known && must && reaches(p, &part, &whole, item) && own(p, item) && othersPass(f, part, item) && whole.keys[i] != "" && !slices.Contains(part.keys, whole.keys[i]) {
					return requirement.Failed("missing", "what was made with "+f.Member+on(f.Bound)+" "+shown(p, want), counted(len(part.items))+" without it")
				}
			}
		}
	}
	if !judged {
		return requirement.None
	}
	return requirement.Passed
}

// among reports whether one page asks for resources with one value of a filter, and the other for those
// with any of several values, this one among them. Both are first pages of the same size.
func among(f *openapi.Filter, one, several *listing) bool {
	v, list := one.sent.Body.At(f.Place()), several.sent.Body.At(f.Place())
	if f.Of == "all" || !several.ends() || v.Kind != jsontree.Array || len(v.Items) != 1 || len(list.Items) < 2 || one.limit() != several.limit() {
		return false
	}
	for _, item := range one.items {
		if own := item.Get(f.Member); own == nil || own.Kind == jsontree.Array {
			return false // it may have to have all of several values
		}
	}
	same := func(place string) bool {
		a, b := one.sent.Body.At(place), several.sent.Body.At(place)
		return a == b || a != nil && b != nil && jsontree.Equal(a, b)
	}
	for i := range one.is.Filters {
		if place := one.is.Filters[i].Place(); place != f.Place() && !same(place) {
			return false
		}
	}
	return one.first() && several.first() &&
		slices.ContainsFunc(list.Items, func(w *jsontree.Value) bool { return jsontree.Equal(v.Items[0], w) })
}

// hidden reports whether a page has no item and names no next one, where a larger page with
// the same value of the filter has what the case made: it was cut before the filter.
func hidden(p *requirement.Input, f *openapi.Filter, part listing, parts []listing) bool {
	if len(part.items) > 0 || !part.first() || !part.ends() {
		return false
	}
	for _, other := range parts {
		if other.limit() <= part.limit() || !jsontree.Equal(other.sent.Body.At(f.Place()), part.sent.Body.At(f.Place())) {
			continue
		}
		for _, item := range other.items {
			if _, must, known := passes(f, part.sent.Body.At(f.Place()), item); must && known && own(p, item) && othersPass(f, part, item) {
				return true
			}
		}
	}
	return false
}

// othersPass reports whether an item must pass the other filters of a request.
func othersPass(f *openapi.Filter, part listing, item *jsontree.Value) bool {
	for i := range part.is.Filters {
		other := &part.is.Filters[i]
		want := part.sent.Body.At(other.Place())
		if want == nil || other.Place() == f.Place() {
			continue
		}
		if _, must, known := passes(other, want, item); !known || !must {
			return false
		}
	}
	return true
}

// passes reports whether an item may be and must be in a list with a filter, and whether
// it shows that.
func passes(f *openapi.Filter, want, item *jsontree.Value) (may, must, known bool) {
	v := item.Get(f.Member)
	if v == nil || v.Kind == jsontree.Null {
		return false, false, false
	}
	if f.Bound != openapi.Same {
		in := within(f.Bound, want, v)
		return in > 0, in > 0, in != 0
	}
	values, wanted := []*jsontree.Value{v}, []*jsontree.Value{want}
	if v.Kind == jsontree.Array {
		values = v.Items
	}
	if want.Kind == jsontree.Array {
		wanted = want.Items
	}
	count, exact := 0, 0
	for _, w := range wanted {
		if slices.ContainsFunc(values, func(v *jsontree.Value) bool { return matches(f, w, v) }) {
			count++
		}
		if slices.ContainsFunc(values, func(v *jsontree.Value) bool { return matches(f, w, v) && (!freeText(f, v) || v.Text == w.Text) }) {
			exact++
		}
	}
	all, one := count == len(wanted), count > 0
	// Whether a part of a text is enough is left open.
	either := f.Of == "any" || f.Of == "" && v.Kind != jsontree.Array // a single value is never all of them
	must = exact == len(wanted) || exact > 0 && either
	return all || one && f.Of != "all", must, len(wanted) > 0
}

// matches reports whether a value is the one that a filter asks for. A text without an
// enum may be part of the value.
func matches(f *openapi.Filter, want, is *jsontree.Value) bool {
	if freeText(f, is) {
		return strings.Contains(strings.ToLower(is.Text), strings.ToLower(want.Text))
	}
	if is.Kind == jsontree.Bool || want.Kind == jsontree.Bool {
		return is.Kind == want.Kind && is.Bool == want.Bool
	}
	return kept(want, is)
}

// freeText reports whether a value is a text of which a filter may ask for a part.
func freeText(f *openapi.Filter, is *jsontree.Value) bool {
	s := f.Parameter.Schema
	if s.Items != nil {
		s = s.Items
	}
	return is.Kind == jsontree.String && len(s.Enum) == 0 && hints.Refers(f.Member) == ""
}

// own reports whether the case made an item: it has a text that the item was made with.
func own(p *requirement.Input, item *jsontree.Value) bool {
	for i := range p.History {
		e := &p.History[i]
		if e.Op == p.Op || e.Sent.Body == nil {
			continue
		}
		sent := e.Sent.Body.Root()
		if sent == nil {
			continue
		}
		for _, m := range sent.Members {
			q, v := p.Op.Listing.Item.Property(m.Name), item.Get(m.Name)
			if q == nil || q.Schema.Enum != nil || q.Schema.Const != nil || v == nil || m.Value.Kind != jsontree.String {
				continue
			}
			if len(m.Value.Text) >= minText && kept(m.Value, v) {
				return true
			}
		}
	}
	return false
}
