package mutate

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// wholeBody is the place of classes that are about the body as a whole.
var wholeBody = plan.Place{Name: "body"}

// of starts a class: what is changed where. It expects what its family does.
func of(family plan.Family, at plan.Place, kind string) plan.Class {
	return plan.Class{Family: family, Place: at, Kind: kind, Expected: family.Expects()}
}

// unstated lets a class expect nothing.
func unstated(class plan.Class) plan.Class {
	class.Expected = message.Unstated
	return class
}

// single makes a class of cases of one request each.
func single(class plan.Class, cases int, build func(g *plan.Gen, draw int) *message.Message) plan.Class {
	class.Cases = cases
	class.Build = func(g *plan.Gen, draw int) []plan.Step {
		m := build(g, draw)
		for range redraws {
			if m != nil && fitting(class.Expected, m) {
				break
			}
			m = build(g, draw)
		}
		if (m == nil || !fitting(class.Expected, m)) && g.ChooseFirst() {
			m = build(g, draw) // the class was made of these values, and another may ask for other members
		}
		if m == nil {
			m = g.Baseline() // it is what it is: the bytes decide
		}
		return []plan.Step{{Message: m}}
	}
	return class
}

// changed makes a baseline request that differs in one thing.
func changed[T any](change func(m *message.Message, by T)) func(g *plan.Gen, by T) *message.Message {
	return func(g *plan.Gen, by T) *message.Message {
		m := g.Baseline()
		change(m, by)
		return m
	}
}

// fitting reports whether a message can be what its class says. A class is made of values
// that were tried with other fresh numbers: there may be less room beside those of this
// draw, or a number of one digit only.
func fitting(expected message.Expectation, m *message.Message) bool {
	if expected == message.Unstated || expected == message.RefuseCredential {
		return true
	}
	r := m.Reading()
	switch {
	case r == nil || r.Kind == schema.Undecided:
		return r != nil
	case expected == message.RefuseNotJSON:
		return r.Kind == schema.NotJSON
	case expected == message.Refuse:
		return r.Kind == schema.Invalid
	case expected == message.Accept:
		return r.Kind == schema.MustAccept
	}
	return r.Kind == schema.MustAccept || r.Kind == schema.MayRefuse // the head may be unusual too
}

// listed makes a class with a case for each item; none without items.
func listed[T any](class plan.Class, items []T, build func(*plan.Gen, T) *message.Message) []plan.Class {
	if len(items) == 0 {
		return nil
	}
	return []plan.Class{single(class, len(items), func(g *plan.Gen, draw int) *message.Message {
		return build(g, items[draw])
	})}
}

// givenCases is the number of cases of a class at a member that need not be
// taken at all: there, more of them tell little more.
const givenCases = 2

// sorted tries every item on the exact judge and makes a class of those that
// must be accepted and one of those that may be refused; what is neither is dropped.
func sorted[T any](s *plan.Space, at plan.Place, kind string, items []T, build func(*plan.Gen, T) *message.Message) []plan.Class {
	return fully(s, at, kind, fewer(s, at, items), build)
}

// fully is sorted without regard to what need not be taken at all: what is
// taken must come back as it was.
func fully[T any](s *plan.Space, at plan.Place, kind string, items []T, build func(*plan.Gen, T) *message.Message) []plan.Class {
	by := judged(s, at, items, build)
	if len(by[schema.MustAccept]) == 0 {
		by[schema.MustAccept] = by[schema.Undecided]
	}
	return append(listed(of(plan.FamilyValid, at, kind), by[schema.MustAccept], build),
		listed(of(plan.FamilyMayRefuse, at, kind), by[schema.MayRefuse], build)...)
}

// invalid makes a class of the items that break the schema.
func invalid[T any](s *plan.Space, at plan.Place, kind string, items []T, build func(*plan.Gen, T) *message.Message) []plan.Class {
	by := read(s, at, items, build)
	broken := by[schema.Invalid]
	if len(broken) == 0 {
		// Tried and not judged, so that what they would break is not passed over.
		broken = by[schema.Undecided]
	}
	var out []plan.Class
	for _, group := range byKeyword(s, broken) {
		class := of(plan.FamilyInvalid, at, kind)
		if key := group[0].first; group[0].alone {
			class.Subject = strings.TrimSuffix(key.Keyword+" "+key.Path+" "+key.Name+" "+key.Under, " ")
		}
		out = append(out, listed(class, valuesOf(group), build)...)
	}
	return out
}

// byKeyword groups items by the keyword that they break, where classes have few values:
// the first case of a class then stands for one requirement.
func byKeyword[T any](s *plan.Space, items []breaking[T]) [][]breaking[T] {
	if s.Max == 0 && len(items) > 0 {
		return [][]breaking[T]{items}
	}
	// A server that checks only one of two keywords refuses what breaks both.
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b breaking[T]) int { return cmp.Compare(worth(b), worth(a)) })
	var out [][]breaking[T]
	at := map[schema.Key]int{}
	for _, item := range items {
		n, known := at[item.first]
		if !known {
			n = len(out)
			at[item.first] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], item)
	}
	return out
}

// worth is higher for what breaks one keyword alone.
func worth[T any](item breaking[T]) int {
	if item.alone {
		return 1
	}
	return 0
}

func valuesOf[T any](items []breaking[T]) []T {
	var out []T
	for _, item := range items {
		out = append(out, item.value)
	}
	return out
}

// mayRefuse makes a class of the items that a server may refuse.
func mayRefuse[T any](s *plan.Space, at plan.Place, kind string, items []T, build func(*plan.Gen, T) *message.Message) []plan.Class {
	return listed(of(plan.FamilyMayRefuse, at, kind), judged(s, at, fewer(s, at, items), build)[schema.MayRefuse], build)
}

// fewer samples the items for a place that need not be taken at all.
func fewer[T any](s *plan.Space, at plan.Place, items []T) []T {
	if len(items) > givenCases && rightlyRefused(s, at) {
		return spread(items, givenCases)
	}
	return items
}

// judged sorts items by what their bodies are; an item without a message is
// dropped.
func judged[T any](s *plan.Space, at plan.Place, items []T, build func(*plan.Gen, T) *message.Message) map[schema.Kind][]T {
	out := map[schema.Kind][]T{}
	for kind, list := range read(s, at, items, build) {
		out[kind] = valuesOf(list)
	}
	return out
}

// breaking is an item with the first keyword that its body breaks, if any.
type breaking[T any] struct {
	value T
	first schema.Key
	alone bool // it breaks no other keyword
}

// read is judged with the keyword that each item breaks.
func read[T any](s *plan.Space, at plan.Place, items []T, build func(*plan.Gen, T) *message.Message) map[schema.Kind][]breaking[T] {
	out, breaks := map[schema.Kind][]breaking[T]{}, map[schema.Key]brokenBy{}
	g := plan.Probe(s.Op)
	few := items
	if s.Max > 0 {
		few = spread(items, lookedAt*s.Max)
	}
	for n, item := range few {
		if !s.More(at.Name, n) {
			break
		}
		look(s, at, g, item, build, func(kind schema.Kind, one breaking[T]) {
			if s.Max == 0 || fits(s, len(out[kind]), one.first, one.alone, breaks) {
				out[kind] = append(out[kind], one)
			}
		})
	}
	if len(few) == len(items) || !crowded(breaks) {
		return out
	}
	for n, item := range items {
		if !crowded(breaks) || !s.More(at.Name, n) {
			break
		}
		look(s, at, g, item, build, func(kind schema.Kind, one breaking[T]) {
			if was := breaks[one.first]; one.alone && was.times > 0 && !was.alone {
				breaks[one.first] = brokenBy{was.times + 1, true}
				out[kind] = append(out[kind], one)
			}
		})
	}
	return out
}

// look makes a message of an item for a place and tells what it is.
func look[T any](s *plan.Space, at plan.Place, g *plan.Gen, item T, build func(*plan.Gen, T) *message.Message, found func(schema.Kind, breaking[T])) {
	before := g.Took
	m := build(g, item)
	work := g.Took - before
	if m != nil && g.Over == "" {
		if r := m.Reading(); r != nil {
			one := breaking[T]{value: item}
			if len(r.Violations) > 0 {
				one.first, one.alone = r.Violations[0].Key(), len(r.Violations) == 1
			}
			found(r.Kind, one)
			work += r.Work
		}
	}
	if !s.Charge(at.Name, work) {
		s.Leave("some classes are left out or have fewer values: the plan has reached its limit of work")
	}
}

// brokenBy says how many values of a class break a keyword, and whether one breaks it alone.
type brokenBy struct {
	times int
	alone bool
}

// crowded reports whether some keyword is broken only together with others.
func crowded(breaks map[schema.Key]brokenBy) bool {
	for _, b := range breaks {
		if !b.alone {
			return true
		}
	}
	return false
}

// lookedAt is how many times more items are looked at than a class tries.
const lookedAt = 4

// fits reports whether a class of few values takes one more: up to the limit, and
// beyond it what breaks a keyword that none of the others breaks, or none breaks alone.
func fits(s *plan.Space, have int, first schema.Key, alone bool, breaks map[schema.Key]brokenBy) bool {
	if first == (schema.Key{}) {
		return have < s.Max
	}
	was := breaks[first]
	breaks[first] = brokenBy{was.times + 1, was.alone || alone}
	return was.times == 0 || alone && !was.alone || was.times < s.Max/2 && have < s.Max
}

// violates reports whether a message cannot be written or violates a schema.
func violates(m *message.Message) bool {
	r := m.Reading()
	return r == nil || r.Violations != nil
}

// rightlyRefused reports whether a member on the way to a place need not be
// taken by every implementation.
func rightlyRefused(s *plan.Space, at plan.Place) bool {
	for _, p := range places(s) {
		if p.label() != at.Name {
			continue
		}
		for q := p; q != nil; q = q.up {
			if d := q.domain(s); d.Given == "may-refuse" || d.Value != nil {
				return true
			}
		}
	}
	return false
}

// first lets the first cases of classes that must be accepted come before others.
func first(n int, list []plan.Class) []plan.Class {
	for i := range list {
		if list[i].Expected == message.Accept {
			list[i].First = n
		}
	}
	return list
}

// sharp joins lists of classes that test their subjects best.
func sharp(lists ...[]plan.Class) []plan.Class {
	out := slices.Concat(lists...)
	for i := range out {
		out[i].Sharp = true
	}
	return out
}

// ahead lets the first case of each class come before those of others.
func ahead(list []plan.Class) []plan.Class {
	for i := range list {
		list[i].First = 1
	}
	return list
}

// unlabelled expects nothing of classes: whether a request of them is invalid depends on the
// text that it is made from.
func unlabelled(list []plan.Class) []plan.Class {
	for i := range list {
		list[i] = unstated(list[i])
	}
	return list
}

// heavy moves classes to the phase of those that may harm others.
func heavy(list []plan.Class) []plan.Class {
	for i := range list {
		list[i].Phase = plan.Heavy
	}
	return list
}

// written marks classes that try only how values are written.
func written(classes []plan.Class) []plan.Class {
	for i := range classes {
		classes[i].Written = true
	}
	return classes
}
