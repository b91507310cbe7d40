package checks

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// maxMade is how many resources a case makes for a list.
const maxMade = 5

// list is what the cases about a list are made from. The maker is nil if no operation
// adds to the list.
type list struct {
	*openapi.Listing
	op     *openapi.Operation
	make   *openapi.Operation
	chosen bool // the client chooses the key of a resource
}

// listOf returns the list that an operation reads, or nil.
func listOf(s *plan.Space) *list {
	if s.Op.Listing == nil || s.Op.IsAdditional() {
		return nil
	}
	out := &list{Listing: s.Op.Listing, op: s.Op}
	for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.List }) {
		out.make, out.chosen = r.Make, r.Chosen()
	}
	for _, r := range s.Resources {
		switch post := r.Fills(s.Op); {
		case out.make != nil:
		case r.Make.Method == http.MethodPost && r.Make.Path == s.Op.Path:
			out.make = r.Make
		case post != nil:
			out.make = post
		}
	}
	out.make = cmp.Or(out.make, s.Adder)
	return out
}

// class makes a class of cases about the list. Nothing else changes the list while it is
// read.
func (l *list) class(kind string, rules []string, build func(g *plan.Gen, draw int) []plan.Step) plan.Class {
	c := alone(about(kind, rules, 1, build))
	if len(l.Promised) == 0 && !l.op.Accepted.NewestFirst {
		c.First = 0
	}
	return c
}

// kinds is how many kinds of requests add resources to a list.
const kinds = 3

// made returns requests that each add a resource to the list.
func (l *list) made(g *plan.Gen, n int) []*message.Message {
	var out []*message.Message
	for i := range n {
		if l.make != nil {
			out = append(out, with(g, l.make, i%kinds))
		}
	}
	return out
}

// begin makes the first steps: they add to a list of its own, where it belongs to
// another resource.
func (l *list) begin(made []*message.Message) []plan.Step {
	steps := row(made...)
	for i := range steps {
		if i == 0 {
			steps[i].Kind = plan.Own
		} else if l.chosen {
			steps[i].Kind = plan.Alone
		}
	}
	return steps
}

// page makes a step that reads a page of the list that the first steps made.
func (l *list) page(g *plan.Gen, limit int64) plan.Step {
	m := simplest(g, l.op)
	if l.Limit != nil && limit > 0 {
		m.Set(l.Limit.Place(), jsontree.NewInt(limit))
	}
	if l.make == nil {
		return plan.Step{Message: m}
	}
	return next(m)
}

// wide returns a large limit, or 0 if the list has none.
func (l *list) wide() int64 {
	if l.Limit == nil {
		return 0
	}
	sizes := []int64{100, 50, 20, l.Many}
	i := slices.IndexFunc(sizes, func(n int64) bool { return l.op.Params.Matches(l.Limit.Schema, jsontree.NewInt(n)) })
	return sizes[max(i, 0)]
}

// lastCounted makes a step that asks for the last item that the total in the answer
// before counts. It is not ok if no parameter can. From is the step with the first page, or
// 0 if the case has none.
func (l *list) lastCounted(step plan.Step, from int) (last plan.Step, ok bool) {
	if l.Limit == nil || l.Total == "" && l.TotalField == "" || l.Guessed && from == 0 || l.Offset == nil && l.Page == nil {
		return plan.Step{}, false
	}
	limit := l.Few + 1 // shows what is behind it
	if l.Page != nil || limit == l.Many {
		limit = 1 // so that pages are items, or so that it is none of the large pages
	}
	if !l.op.Params.Matches(l.Limit.Schema, jsontree.NewInt(limit)) {
		return plan.Step{}, false
	}
	step.Message = step.Message.Clone()
	step.Message.Set(l.Limit.Place(), jsontree.NewInt(limit))
	step.From = plan.Follow{From: from, Last: true}
	return step, true
}

// readAgain makes the reading of a list or a resource begin again at a step, if the last one
// shows a fault or nothing.
func readAgain(steps []plan.Step, from int) []plan.Step {
	steps[len(steps)-1].Again = from
	return steps
}

// give puts values of a member into requests, as far as they stay valid.
func give(made []*message.Message, member string, values ...*jsontree.Value) {
	for i, m := range made {
		more := m.Clone()
		if i >= len(values) || values[i] == nil || !more.Set("/"+jsontree.EscapePointer(member), values[i].Clone()) {
			continue
		}
		if mustAccept(more.Reading()) {
			*m = *more
		}
	}
}

// recent makes a step that reads a large page. What was made last comes first, where a
// parameter does that: a list that others share has it on a later page otherwise.
func (l *list) recent(g *plan.Gen) plan.Step {
	step := l.page(g, l.wide())
	for _, p := range l.op.Parameters {
		if p.In == "query" && p.Schema != nil && newest(p.Schema) != nil {
			step.Message.Set(p.Place(), newest(p.Schema).Clone())
		}
	}
	return step
}

// newest returns the value of a parameter that sorts a list so that what was made last
// comes first, or nil.
func newest(s *schema.Schema) *jsontree.Value {
	for _, v := range s.Enum {
		text := strings.ToLower(v.Text)
		down := strings.HasPrefix(text, "-") || strings.Contains(text, "desc")
		if v.Kind == jsontree.String && down && (strings.Contains(text, "creat") || strings.Contains(text, "id") || strings.Contains(text, "date")) || text == "newest" {
			return v
		}
	}
	return nil
}

// bothEnds makes steps that read the first page of a list, and its last one, if a total and a
// parameter lead there. What was made last is on one of them in most lists.
func (l *list) bothEnds(g *plan.Gen) []plan.Step {
	first := next(l.recent(g).Message)
	last, ok := l.lastCounted(next(l.page(g, l.wide()).Message), 0)
	if !ok {
		return []plan.Step{first}
	}
	return []plan.Step{first, last}
}

// listing is one answer of the case's operation: a page of a list.
type listing struct {
	is    *openapi.Listing
	sent  *message.Sent
	page  resource.Page
	items []*jsontree.Value
	keys  []string
}

// listings returns the pages of a case, in the order in which they were asked for. It
// returns nil if one of them is not a list.
func listings(p *requirement.Input) []listing {
	l := p.Op.Listing
	if l == nil {
		return nil
	}
	var out []listing
	add := func(sent *message.Sent, got *requirement.Answer) bool {
		if !got.Success() {
			return false
		}
		one := listing{is: l, sent: sent, page: got.Page()}
		items, found := one.page.Items(l)
		one.items = items
		for _, item := range items {
			one.keys = append(one.keys, resource.Key(l, item))
		}
		out = append(out, one)
		return found
	}
	for i := range p.History {
		if e := &p.History[i]; e.Op == p.Op && !add(e.Sent, e.Got) {
			return nil
		}
	}
	if !add(p.Sent, p.Got) {
		return nil
	}
	return out
}

// asked returns what the bytes of the request say at a parameter, or nil.
func (l *listing) asked(p *openapi.Parameter) *jsontree.Value {
	if p == nil {
		return nil
	}
	return l.sent.Body.At(p.Place())
}

// limit returns the largest number of items that the request asks for: what it says, or
// the default. It is 0 if neither is known.
func (l *listing) limit() int64 {
	if l.is.Limit == nil {
		return 0
	}
	v := l.asked(l.is.Limit)
	if v == nil {
		v = l.is.Limit.Schema.Default
	}
	if v == nil {
		return 0
	}
	n, _ := jsontree.Int64(v.Text)
	return n
}

// first reports whether the request asks for no later page.
func (l *listing) first() bool { return l.asked(l.is.Follows()) == nil }

// ends reports whether no page follows, as far as the answer says.
func (l *listing) ends() bool { return l.is.Cursor == nil || l.page.Next(l.is) == nil }

// reaches reports whether a page is a first one with room for an item of another page: it has fewer
// items than that page, or it is in order and ends with an item that comes behind this one.
func reaches(p *requirement.Input, page, other *listing, item *jsontree.Value) bool {
	if !page.first() {
		return false
	}
	if page.ends() && page.limit() == other.limit() && len(page.items) < len(other.items) {
		return true
	}
	o := orderOf(page)
	if o == nil || len(page.items) == 0 {
		return false
	}
	last, is := page.items[len(page.items)-1].Get(o.Member), item.Get(o.Member)
	if last == nil || is == nil || inDirection(o, is, last) >= 0 {
		return false
	}
	_, wrong := inOrder(p, o, page.items)
	return wrong == ""
}

// skipped returns how many items are before those of the answer, as far as the request
// says so. First is the offset of the first item, or the number of the first page.
func (l *listing) skipped(first int64) int64 {
	by := l.is.Follows()
	v := l.asked(by)
	if v == nil || by == l.is.Cursor {
		return 0
	}
	n, _ := jsontree.Int64(v.Text)
	if by == l.is.Page {
		size := int64(len(l.items)) // full pages are before it
		if l.limit() == 1 {
			size = 1
		}
		return (n - first) * size
	}
	return n - first
}

// walk returns the pages of few items that follow each other, with the page of many
// items that was read before and after them. It is not ok if the list changed meanwhile,
// or does not tell its items apart.
func walk(p *requirement.Input) (pages []listing, whole listing, ok bool) {
	var large []listing
	l := p.Op.Listing
	for _, one := range listings(p) {
		switch v := one.asked(l.Limit); {
		case v == nil:
		case v.Text == strconv.FormatInt(l.Few, 10):
			pages = append(pages, one)
		case v.Text == strconv.FormatInt(l.Many, 10):
			large = append(large, one)
		}
	}
	if len(large) != 2 || len(pages) < 2 || len(large[0].keys) != len(large[1].keys) {
		return nil, listing{}, false
	}
	seen := map[string]bool{}
	for i, key := range large[0].keys {
		if key == "" || seen[key] || key != large[1].keys[i] {
			return nil, listing{}, false
		}
		seen[key] = true
	}
	if l.Cursor != nil {
		for i := 1; i < len(pages); i++ {
			if pages[i].asked(l.Cursor) == nil {
				pages = pages[:i] // the page before names no other
			}
		}
	}
	return pages, large[0], true
}

// counted counts items in words.
func counted(n int) string {
	if n == 1 {
		return "1 item"
	}
	return strconv.Itoa(n) + " items"
}

// fewItems is how many items a list may have that is one page for certain, if the document
// has no limit for pages.
const fewItems = 5
