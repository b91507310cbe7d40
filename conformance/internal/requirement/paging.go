package requirement

import (
	"fmt"
	"slices"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
)

// The words by which a listing says what the requirements file promises of it. That of a
// filter is followed by the name of the parameter.
const (
	promisedLimit  = "limit"
	promisedPages  = "pages"
	promisedTotal  = "total"
	promisedSort   = "sort"
	promisedFilter = "filter "
)

// listRows are the rows about how an operation lists things: open points by the names of
// parameters alone, suspected where the description of one says so, and a MUST where the
// requirements file promises it.
func listRows(op *openapi.Operation, l *openapi.Listing) []*Requirement {
	if l == nil {
		return nil
	}
	var out []*Requirement
	add := func(said *report.Evidence, promise, id, rule, pointer string, args Args, sentence string, values ...any) {
		r := &Requirement{ID: op.Slug + "-" + id, Rule: rule, Level: report.Open, Free: true, Clause: Clause{Pointer: pointer}, Args: args, Op: op,
			Sentence: fmt.Sprintf(sentence, values...)}
		if said != nil {
			r.Level, r.Evidence = report.Suspected, []report.Evidence{*said}
		}
		if slices.Contains(l.Promised, promise) {
			r.Level, r.Free, r.Evidence = report.Must, false, nil
		}
		out = append(out, r)
	}
	if l.Limit != nil {
		add(hints.Bounds(l.Limit.Text()), promisedLimit, "page-limit", "page-limit", l.Limit.Pointer, Args{}, "A page has at most as many items as %s says.", l.Limit.Name)
	}
	if by := l.Follows(); l.Limit != nil && by != nil && l.Key != "" {
		said := hints.Pages(by.Text())
		add(said, promisedPages, "pages-disjoint", "pages-disjoint", by.Pointer, Args{}, "No item is on two pages.")
		add(said, promisedPages, "pages-complete", "pages-complete", by.Pointer, Args{}, "The pages hold together what one large page holds.")
	}
	if l.Total != "" || l.TotalField != "" {
		add(l.CountsAll, promisedTotal, "total", "total", op.Pointer+"/responses", Args{}, "The total is the number of the items of all pages.")
	}
	for _, f := range l.Filters {
		sentence := "With %s the list has only items of that %s."
		switch f.Bound {
		case openapi.Least:
			sentence = "With %s the list has no items whose %s is below it."
		case openapi.Most:
			sentence = "With %s the list has no items whose %s is above it."
		}
		add(hints.Only(f.Parameter.Text()), promisedFilter+f.Parameter.Name, "filtered-"+openapi.NameSlug(f.Name()), "filtered", f.Parameter.Pointer, Args{From: f.Place()}, sentence, f.Name(), f.Member)
	}
	if len(l.Orders) > 0 {
		said := hints.Sorts(l.Orders[0].Parameter.Text())
		if !bothWays(l.Orders) {
			said = nil // which value stands for which direction is not known
		}
		add(said, promisedSort, "sorted", "sorted", l.Orders[0].Parameter.Pointer, Args{}, "With %s the items are in that order.", l.Orders[0].Parameter.Name)
	}
	return out
}

// bothWays reports whether a list can be sorted in both directions by each member. Then it is known
// which value stands for which direction.
func bothWays(orders []openapi.Order) bool {
	return !slices.ContainsFunc(orders, func(o openapi.Order) bool {
		return o.Direction == nil && !slices.ContainsFunc(orders, func(other openapi.Order) bool { return other.Member == o.Member && other.Down != o.Down })
	})
}

// listings derives the rows about how the operation lists things.
func (d *deriver) listings() {
	for _, r := range listRows(d.op, d.op.Listing) {
		from := len(d.out)
		d.add(r.ID, r.Rule, r.Level, r.Clause, r.Args, "%s", r.Sentence)
		d.free(from, r.Free)
		for i := range r.Evidence {
			d.evidence(&r.Evidence[i])
		}
	}
}
