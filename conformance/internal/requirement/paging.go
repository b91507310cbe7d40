package requirement

import (
	"fmt"
	"regexp"
	"slices"

	"plantstore/conformance/internal/contract"
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

// What descriptions of parameters state: that a list has some things only, how long a page is,
// and where it begins.
var (
	statesFilter = regexp.MustCompile(`(?i)\bonly\b`)
	statesLimit  = regexp.MustCompile(`(?i)\b(max(imum|imal)?|at most|up to|number of|how many|size)\b`)
	statesOrder  = regexp.MustCompile(`(?i)\b(sort|order|ascend|descend)`)
	statesPage   = regexp.MustCompile(`(?i)\b(skip\w*|page|pages|cursor|next_?cursor|offset|before|after|next)\b`)
)

// listRows are the rows about how an operation lists things: open points, unless the
// requirements file promises what they say, or the description of the parameter states it.
func listRows(op *contract.Operation, l *contract.Listing) []*Requirement {
	if l == nil {
		return nil
	}
	var out []*Requirement
	add := func(stated bool, promise, id, rule, pointer string, args Args, sentence string, values ...any) {
		r := &Requirement{ID: op.Slug + "-" + id, Rule: rule, Level: report.Open, Free: true, Clause: Clause{Pointer: pointer}, Args: args, Op: op,
			Sentence: fmt.Sprintf(sentence, values...)}
		if stated {
			r.Level = report.Must // and free: there may be too few items to try it
		}
		if slices.Contains(l.Promised, promise) {
			r.Level, r.Free = report.Must, false
		}
		out = append(out, r)
	}
	if l.Limit != nil {
		add(statesLimit.MatchString(l.Limit.Says), promisedLimit, "page-limit", "page-limit", l.Limit.Pointer, Args{}, "A page has at most as many items as %s says.", l.Limit.Name)
	}
	if by := l.Follows(); l.Limit != nil && by != nil && l.Key != "" {
		stated := statesPage.MatchString(by.Says)
		add(stated, promisedPages, "pages-disjoint", "pages-disjoint", by.Pointer, Args{}, "No item is on two pages.")
		add(stated, promisedPages, "pages-complete", "pages-complete", by.Pointer, Args{}, "The pages hold together what one large page holds.")
	}
	if l.Total != "" || l.TotalField != "" {
		add(l.CountsAll, promisedTotal, "total", "total", op.Pointer+"/responses", Args{}, "The total is the number of the items of all pages.")
	}
	for _, f := range l.Filters {
		sentence := "With %s the list has only items of that %s."
		switch f.Bound {
		case contract.Least:
			sentence = "With %s the list has no items whose %s is below it."
		case contract.Most:
			sentence = "With %s the list has no items whose %s is above it."
		}
		add(statesFilter.MatchString(f.Parameter.Says), promisedFilter+f.Parameter.Name, "filtered-"+contract.NameSlug(f.Name()), "filtered", f.Parameter.Pointer, Args{From: f.Place()}, sentence, f.Name(), f.Member)
	}
	if len(l.Orders) > 0 {
		add(bothWays(l.Orders) && statesOrder.MatchString(l.Orders[0].Parameter.Says), promisedSort, "sorted", "sorted", l.Orders[0].Parameter.Pointer, Args{}, "With %s the items are in that order.", l.Orders[0].Parameter.Name)
	}
	return out
}

// bothWays reports whether a list can be sorted in both directions by each member. Then it is known
// which value stands for which direction.
func bothWays(orders []contract.Order) bool {
	return !slices.ContainsFunc(orders, func(o contract.Order) bool {
		return o.Direction == nil && !slices.ContainsFunc(orders, func(other contract.Order) bool { return other.Member == o.Member && other.Down != o.Down })
	})
}

// listings derives the rows about how the operation lists things.
func (d *deriver) listings() {
	for _, r := range listRows(d.op, d.op.Listing) {
		from := len(d.out)
		d.add(r.ID, r.Rule, r.Level, r.Clause, r.Args, "%s", r.Sentence)
		d.free(from, r.Free)
	}
}
