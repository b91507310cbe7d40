package checks

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var ordered = plan.Mutator{
	Name: "ordered",
	Doc:  "Makes things and reads their list in each order that the document lists, because a server may ignore the parameter, or its direction.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil || len(l.Orders) == 0 {
			return nil
		}
		return []plan.Class{l.class("orders", judges(sorted), func(g *plan.Gen, _ int) []plan.Step {
			made := l.made(g, kinds)
			for _, o := range l.Orders {
				spread(made, o.Member)
			}
			steps := l.begin(made)
			from := len(steps)
			for _, o := range l.Orders[:min(len(l.Orders), maxOrders)] {
				step := l.page(g, l.wide())
				step.Message.Set(o.Parameter.Place(), o.Value.Clone())
				if o.Direction != nil {
					step.Message.Set(o.Direction.Place(), o.Way.Clone())
				}
				steps = append(steps, step)
			}
			return readAgain(steps, from)
		})}
	},
}

// maxOrders is how many orders of a list are tried.
const maxOrders = 6

// spread gives texts of resources first letters that every language sorts in one order. The
// resources are in that order neither as they are made nor backwards.
func spread(made []*message.Message, member string) {
	letters := []string{"m", "b", "t"}
	for i, m := range made {
		v := m.At("/" + jsontree.EscapePointer(member))
		if v == nil || v.Kind != jsontree.String || len(v.Text) < len(letters) {
			continue
		}
		give(made[i:i+1], member, jsontree.NewString(letters[i%len(letters)]+v.Text[1:]))
	}
}

// orderOf returns the order that a request asks for, or nil. Members with an enum may have an order
// of their own.
func orderOf(one *listing) *openapi.Order {
	for i := range one.is.Orders {
		o := &one.is.Orders[i]
		if m := one.is.Item.Property(o.Member); m != nil && m.Schema != nil && len(m.Schema.Enum) > 0 {
			continue // low, medium, high
		}
		v, way := one.asked(o.Parameter), one.asked(o.Direction)
		if v != nil && jsontree.Equal(v, o.Value) && (o.Direction == nil || way != nil && jsontree.Equal(way, o.Way)) {
			return o
		}
	}
	return nil
}

// inOrder reports whether some items of different values are in order, and describes the
// first two that are not.
func inOrder(p *requirement.Input, o *openapi.Order, items []*jsontree.Value) (kept bool, wrong string) {
	var before *jsontree.Value
	for _, item := range items {
		v := item.Get(o.Member)
		if v == nil || !scalar(v) {
			continue
		}
		if before != nil {
			switch side := inDirection(o, before, v); {
			case side > 0:
				return false, o.Member + " " + shown(p, before) + " before " + shown(p, v)
			case side < 0:
				kept = true
			}
		}
		before = v
	}
	return kept, ""
}

// inDirection is negative if a value comes before another one in the order that a request asks
// for, positive if it comes after it, and 0 if that depends on the server.
func inDirection(o *openapi.Order, a, b *jsontree.Value) int {
	if o.Down {
		return -compared(a, b)
	}
	return compared(a, b)
}

// compared is negative if a value comes before another one in every usual order, positive
// if it comes after it, and 0 if that depends on the order.
func compared(a, b *jsontree.Value) int {
	if a.Kind == jsontree.Number && b.Kind == jsontree.Number {
		return jsontree.Compare(a.Text, b.Text)
	}
	if a.Kind != jsontree.String || b.Kind != jsontree.String {
		return 0
	}
	x, bad := time.Parse(time.RFC3339Nano, a.Text)
	y, worse := time.Parse(time.RFC3339Nano, b.Text)
	if bad == nil && worse == nil {
		return x.Compare(y)
	}
	if x, bad = time.Parse(time.DateOnly, a.Text); bad == nil {
		if y, bad = time.Parse(time.DateOnly, b.Text); bad == nil {
			return x.Compare(y)
		}
	}
	return alphabetical(a.Text, b.Text)
}

// alphabetical compares two texts by the first letters in which they differ. It returns 0
// where languages and programs do not agree: they may fold capitals, compare digits as
// numbers, and have letters of two characters, such as ch in Czech.
func alphabetical(a, b string) int {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	if at == len(a) || at == len(b) {
		return 0
	}
	agreed := "bcdefgikmnopqtux"
	if at == 0 && !strings.HasPrefix(a, "ch") && !strings.HasPrefix(b, "ch") {
		agreed += "hjlrs"
	}
	if strings.IndexByte(agreed, a[at]) < 0 || strings.IndexByte(agreed, b[at]) < 0 {
		return 0
	}
	return int(a[at]) - int(b[at])
}

// sorted: a list has the order that was asked for.
var sorted = requirement.Rule{
	Name:        "sorted",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a list is not in the order that was asked for",
	Line:        "order",
	Doc:         "The items of a list are in the order that the request asks for: numbers as numbers, times as times. Texts are compared by the first lower-case ASCII letters in which they differ, where all languages have one order. Items with the same value, or without one, may be anywhere. An enum may have an order of its own.",
	Explanation: "The items of a list are in the order that the parameter names. Texts are compared only where every usual order agrees; items with the same value may have any order.",
	Fix:         "Apply the parameter to the query of the database, and sort in both directions.",
	Check: func(p *requirement.Input) requirement.Outcome {
		judged := false
		for _, one := range listings(p) {
			o := orderOf(&one)
			if o == nil {
				continue
			}
			switch kept, wrong := inOrder(p, o, one.items); {
			case wrong != "":
				return requirement.Failed("unsorted", "items in the order of "+o.Parameter.Name+" "+shown(p, o.Value), wrong)
			case kept:
				judged = true
			}
		}
		if !judged {
			return requirement.None
		}
		return requirement.Passed
	},
}

var newestFirstScenario = plan.Mutator{
	Name: "newest-first",
	Doc:  "Makes two things, one a second after the other, and reads their list, because a server may list them in another order than the document states.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil || l.make == nil || !s.Op.HasFirst(l.make) {
			return nil
		}
		c := l.class("later", judges(newestFirst), func(g *plan.Gen, _ int) []plan.Step {
			steps := l.begin(l.made(g, 2))
			steps[1].Idle = apartBy
			return append(steps, l.page(g, l.wide()))
		})
		c.Hinted = !s.Op.Accepted.NewestFirst
		return []plan.Class{c}
	},
}

// apartBy is the time between the two things: a server may keep times in whole seconds.
const apartBy = 1100 * time.Millisecond

// newestFirst: the newest item comes first.
var newestFirst = requirement.Rule{
	Name:        "newest-first",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "the newest items do not come first",
	Line:        "newestFirst",
	Doc:         "The case makes two items, a second apart, and reads the list without asking for an order. The newer item is on the first page, before the older one. They are told apart by their keys.",
	Explanation: "Where the description of a list says that the newest items come first, an item comes before all older ones.",
	Fix:         "Sort the list by the time at which the items were made, the newest first.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Resource.Make != nil {
			return nil
		}
		post := s.Adder()
		for _, r := range s.Resources {
			if post == nil && r.List == s.Op {
				post = r.Make
			}
			post = cmp.Or(post, r.Adder(s.Op))
		}
		if post == nil || !s.Op.HasFirst(post) {
			return nil
		}
		return s.Suspect(s.Op.NewestFirst, "What %s made last comes first in the list.", post.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		pages := listings(p)
		if len(pages) == 0 {
			return requirement.None
		}
		page := pages[len(pages)-1]
		if slices.ContainsFunc(page.is.Orders, func(o openapi.Order) bool { return page.asked(o.Parameter) != nil }) {
			return requirement.None
		}
		var at []int
		for i := range p.History {
			e := &p.History[i]
			if e.Op.Method != http.MethodPost || e.Got == nil || e.Got.Status != http.StatusCreated {
				continue
			}
			made := answerOf(e)
			key := resource.Key(page.is, made)
			if key == "" {
				return requirement.None
			}
			at = append(at, slices.Index(page.keys, key))
		}
		switch {
		case len(at) != 2 || !page.first():
			return requirement.None
		case at[1] < 0 && len(page.items) >= fewItems:
			return requirement.Failed("not first", "the item that was made last, on the first page", counted(len(page.items))+" without it")
		case at[0] < 0 || at[1] < 0 || at[0] == at[1]:
			return requirement.None
		case at[0] < at[1]:
			return requirement.Failed("order", "the newer item before the older one", "the older item before the newer one")
		}
		return requirement.Passed
	},
}

// lowest returns a request with all members whose numbers are far from their upper bounds: a
// server that adds to them has room to do so.
func lowest(g *plan.Gen, op *openapi.Operation) *message.Message {
	m := g.Request(op, true)
	if m.Tree == nil || m.Tree.Kind != jsontree.Object {
		return m
	}
	for _, p := range op.Body.Shape.Schema.Properties {
		old := m.Tree.Get(p.Name)
		if old == nil || old.Kind != jsontree.Number || p.Schema.Maximum == "" && p.Schema.Below == "" {
			continue
		}
		for _, text := range []string{"7", "5", "10", "3", "100"} {
			more := m.Clone()
			low := jsontree.Compare(text, old.Text) < 0 && more.Set("/"+jsontree.EscapePointer(p.Name), jsontree.NewNumber(text))
			if low && mustAccept(more.Reading()) {
				m = more
				break
			}
		}
	}
	return m
}
