package execute

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// follow puts into a request which page it asks for, as the answers before it say. If
// they name none, the request asks for the first page: the rules see that.
func (of *life) follow(m *message.Message, f *plan.Follow) {
	l := m.Op.Listing
	if f == nil || l == nil || l.Follows() == nil || len(of.past) == 0 {
		return
	}
	by := l.Follows()
	m.Remove(by.Place())
	if v := of.page(l, f); v != nil && (by == l.Cursor || m.Op.Params.Matches(by.Schema, v)) {
		m.Set(by.Place(), v)
		if by == l.Cursor {
			m.Given(by.Place(), v)
		}
	}
}

// page returns the value that asks for a page, or nil.
func (of *life) page(l *openapi.Listing, f *plan.Follow) *jsontree.Value {
	before := of.past[len(of.past)-1].Got.Page()
	switch {
	case f.Last:
		total, known := before.Total(l)
		if !known || total < 1 {
			return nil
		}
		first := l.First
		if l.Guessed {
			without, _ := of.past[f.From-1].Got.Page().Items(l)
			one, _ := of.past[f.From].Got.Page().Items(l)
			first = resource.First(l, without, one)
		}
		return jsontree.NewInt(first + total - 1)
	case l.Cursor != nil:
		return before.Next(l)
	case l.Page != nil:
		return jsontree.NewInt(l.First + int64(len(of.past)-f.From))
	}
	n := l.First
	for _, e := range of.past[f.From:] {
		items, _ := e.Got.Page().Items(l)
		n += int64(len(items))
	}
	return jsontree.NewInt(n)
}

// again reports whether the pages of a case have to be read again, from a step on that
// it returns: the last step shows a fault, or nothing of what the case is for. Others
// may change a list, or it may show later what was made.
func (run *Run) again(c *plan.Case, p *judge.Played) (from int, rule string) {
	if p.Step.Again == 0 {
		return 0, ""
	}
	if rule = run.Judge.History(p.Checked); rule == "" {
		rule = run.Judge.Undecided(c, p.Checked)
	}
	return p.Step.Again, rule
}
