package mutate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

const baselineCases = 24

var baseline = plan.Mutator{
	Name: "baseline",
	Doc:  "Sends the simplest valid request, with required members, small numbers and short ASCII words, because a server that refuses it cannot be tested any further.",
	Classes: func(s *plan.Space) []plan.Class {
		return first(1, []plan.Class{single(of(plan.FamilyValid, wholeBody, "baseline"), baselineCases,
			func(g *plan.Gen, _ int) *message.Message { return g.Baseline() })})
	},
}

var optionalMembers = plan.Mutator{
	Name: "optional-members",
	Doc:  "Adds optional members, each alone and several together, also beside each value of an enum, because a server must neither require nor refuse what the document lists as optional.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := optional(s)
		for _, p := range list {
			in := func(g *plan.Gen, _ int) *message.Message { return p.in(g) }
			made := sorted(s, p.where(), "present", make([]int, givenEach), in)
			if len(made) == 0 && p.unfound(s) {
				s.NoValue(p.path)
			}
			out = append(out, made...)
			if words := p.domain(s).Examples; p.schema.Type() == "string" {
				out = append(out, listed(unstated(of(plan.FamilyMayRefuse, p.where(), "example")), words,
					func(g *plan.Gen, w string) *message.Message { return p.with(g, jsontree.NewString(w)) })...)
			}
		}
		if len(list) < 2 {
			return out
		}
		out = append(out, sorted(s, wholeBody, "present-together", subsets(len(list)),
			func(g *plan.Gen, set uint64) *message.Message {
				m := g.Baseline()
				for i, p := range list {
					if set>>i&1 == 1 {
						p.ensure(g, m)
					}
				}
				return m
			})...)
		return append(out, choicesBeside(s, list)...)
	},
}

// choicesBeside sends each value of an enum or a boolean but the first beside all optional members: the code
// that a value selects may read members that no other code reads.
func choicesBeside(s *plan.Space, list []*place) (out []plan.Class) {
	for _, p := range tried(s) {
		values := append(booleans(p.schema), p.schema.Enum...)
		if len(values) < 2 {
			continue
		}
		out = append(out, sorted(s, p.where(), "value-beside-optional", values[1:], func(g *plan.Gen, v *jsontree.Value) *message.Message {
			m := p.with(g, v.Clone())
			for _, q := range list {
				q.ensure(g, m)
			}
			return m
		})...)
	}
	return out
}

// unfound reports whether the value that a place gets breaks the schema at the place or below it. A
// member that only the members beside it forbid has a value, in another object.
func (p *place) unfound(s *plan.Space) bool {
	r := p.in(plan.Probe(s.Op)).Reading()
	return r != nil && r.Kind == schema.Invalid && slices.ContainsFunc(r.Violations, func(v schema.Violation) bool {
		return v.Keyword != "false" && (v.Path == p.path || strings.HasPrefix(v.Path, p.path+"/"))
	})
}

// combinations bounds the sets of optional members that are tried.
const combinations = 16

// subsets returns sets of at least two of n things, all of them first.
func subsets(n int) []uint64 {
	n = min(n, 60)
	all := uint64(1)<<n - 1
	out := []uint64{all}
	for i := range n {
		if n > 2 {
			out = append(out, all&^(1<<i))
		}
	}
	for i := 0; i+1 < n && n > 3; i++ {
		out = append(out, 3<<i)
	}
	return out[:min(len(out), combinations)]
}

// pairing is two members with values that are valid each: code that looks at
// one because of the other is wrong.
type pairing struct {
	a, b   *place
	va, vb string
}

var (
	pairedNumbers = []string{"1", "2147483648", "4294967297", "9007199254740993", "9223372036854775807"}
	pairedTexts   = []string{"植物§", "é §", "🌱§", "O'§", `"§"`, "§ x y"}
)

var memberPairs = plan.Mutator{
	Name: "member-pairs",
	Doc:  "Gives two members telling values at once, or the same value, because code that looks at one member because of another gets one of them wrong.",
	Classes: func(s *plan.Space) []plan.Class {
		list := pairable(s)
		var beside, same []pairing
		for i, a := range list {
			for j, b := range list {
				if i != j {
					beside = append(beside, besides(a, b)...)
					same = append(same, equals(a, b, i < j)...)
				}
			}
		}
		return append(fully(s, wholeBody, "present-beside", beside, paired), fully(s, wholeBody, "same-value-in-two", same, paired)...)
	},
}

// besides returns pairs of an optional member and telling values of another.
func besides(a, b *place) []pairing {
	var values []string
	switch {
	case a.needed:
	case b.number():
		values = pairedNumbers
	case b.free():
		values = pairedTexts
	}
	var out []pairing
	for _, v := range values {
		out = append(out, pairing{a, b, "§", v})
	}
	return out
}

// equals returns pairs in which a text member has the value of another. Of two texts
// it returns one pair.
func equals(a, b *place, first bool) []pairing {
	switch {
	case !a.free():
		return nil
	case b.number() && holdsAnyNumber(a):
		return []pairing{{a, b, "=", ""}, {a, b, "=", ""}}
	case b.free() && first:
		return []pairing{{a, b, "=", "§"}, {a, b, "=", "§"}}
	}
	return nil
}

// holdsAnyNumber reports whether a text may be as short and as long as a number is.
func holdsAnyNumber(p *place) bool {
	minimum, maximum := p.schema.MinLength, p.schema.MaxLength
	return (minimum == nil || *minimum <= 1) && (maximum == nil || *maximum >= len("-9223372036854775808"))
}

// paired sets the values of both members; "=" copies the text of the other.
func paired(g *plan.Gen, x pairing) *message.Message {
	m := x.b.in(g)
	x.a.ensure(g, m)
	switch {
	case x.b.number() && x.vb != "":
		x.b.set(m, jsontree.NewNumber(g.Int(x.vb, -1)))
	case x.vb != "":
		x.b.set(m, jsontree.NewString(fill(g, x.vb)))
	}
	if x.va == "=" {
		x.a.set(m, jsontree.NewString(x.b.get(m).Text))
		return m
	}
	x.a.set(m, jsontree.NewString(fill(g, x.va)))
	return m
}

const (
	allOrders    = 4 // members up to which every order is tried
	maxRotations = 100
	orderRepeats = 4 // cases at least
)

var memberOrder = plan.Mutator{
	Name: "member-order",
	Doc:  "Sends the members of the body in another order, because the members of a JSON object are unordered (RFC 8259, 4).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		return written(append(orders(s, "order", (*plan.Gen).Baseline), orders(s, "order-with-optional", func(g *plan.Gen) *message.Message { return full(s, g) })...))
	},
}

func orders(s *plan.Space, kind string, base func(*plan.Gen) *message.Message) []plan.Class {
	m := base(plan.Probe(s.Op))
	n := len(m.Tree.Members)
	if n < 2 || kind != "order" && n == len(plan.Probe(s.Op).Baseline().Tree.Members) {
		return nil
	}
	list := permutations(n)
	for len(list) < orderRepeats {
		list = append(list, list...)
	}
	return sorted(s, wholeBody, kind, list, func(g *plan.Gen, order []int) *message.Message {
		m := base(g)
		if len(m.Tree.Members) != len(order) {
			return nil // short names may meet, and then one is left
		}
		members := make([]jsontree.Member, len(order))
		for i, j := range order {
			members[i] = m.Tree.Members[j]
		}
		m.Tree.Members = members
		return m
	})
}

// permutations returns every order of n things except the first. For many things it
// returns the reverse and the rotations, a sample of them if there are too many.
func permutations(n int) [][]int {
	first := make([]int, n)
	for i := range first {
		first[i] = i
	}
	var out [][]int
	if n > allOrders {
		back := slices.Clone(first)
		slices.Reverse(back)
		out = append(out, back)
		for i := 1; i < n; i += 1 + n/maxRotations {
			out = append(out, slices.Concat(first[i:], first[:i]))
		}
		return out
	}
	var grow func(done, rest []int)
	grow = func(done, rest []int) {
		if len(rest) == 0 && !slices.Equal(done, first) {
			out = append(out, slices.Clone(done))
		}
		for i := range rest {
			grow(append(done[:len(done):len(done)], rest[i]), slices.Concat(rest[:i], rest[i+1:]))
		}
	}
	grow(nil, first)
	return out
}

// Values of each kind that code treats in a way of its own. Both lists have a value for
// each number below sideOfKinds; that it is a prime makes the rows below a design in which
// each kind of one member meets each kind of another.
const sideOfKinds = 11

var (
	kindsOfText = [sideOfKinds]string{"§", "é植 §", "🌱🌻 §", `"§" 'x'`, `\§\n`, "<b>§</b> &amp;", "12 §", "null§", strings.Repeat("long ", 9) + "§", "مرحبا §", "e\u0301 §"}
	// The smallest of each kind; of the last kind the largest.
	kindsOfNumber = [sideOfKinds]int64{1, 1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 53, 1 << 62, 1e12, 1e15, 1e17, math.MaxInt64}
)

// kindsRow says which kind each of several members has: those of a row of a Latin square.
type kindsRow struct{ i, j int }

// number returns the number of a kind that only this row of this design has, and no neighbour
// of another row, which a later run sends.
func (r kindsRow) number(kind, design int) string {
	const apart, first, next = 1000, 617, 250
	from := int64(r.i*sideOfKinds+r.j)*apart + first + int64(design)*next
	if kind == sideOfKinds-1 {
		from = -from
	}
	return strconv.FormatInt(kindsOfNumber[kind]+from, 10)
}

// of returns the kind of the nth member.
func (r kindsRow) of(n int) int {
	if n == 0 {
		return r.i
	}
	return (r.j + (n-1)*r.i) % sideOfKinds
}

var memberKinds = plan.Mutator{
	Name: "member-kinds",
	Doc:  "Gives all members values of special kinds at once, so that each kind of one meets each kind of another, because code that converts one can spoil another.",
	Classes: func(s *plan.Space) []plan.Class {
		list := pairable(s)
		needed := slices.DeleteFunc(slices.Clone(list), func(p *place) bool { return !p.needed })
		out := togetherOf(s, "kinds-together", 0, list)
		if len(needed) < len(list) {
			// What is optional need not be accepted; what is required is.
			out = append(out, togetherOf(s, "kinds-of-required", 1, needed)...)
		}
		return out
	},
}

// togetherOf gives each of several members a kind of value in every row. Each design has
// numbers of its own.
func togetherOf(s *plan.Space, kind string, design int, list []*place) []plan.Class {
	if len(list) < 2 {
		return nil
	}
	var rows []kindsRow
	for i := range sideOfKinds {
		for j := range sideOfKinds {
			rows = append(rows, kindsRow{i, j})
		}
	}
	return fully(s, wholeBody, kind, rows, func(g *plan.Gen, r kindsRow) *message.Message {
		m := g.Baseline()
		for n, p := range list {
			p.ensure(g, m)
			if at := r.of(n); p.number() {
				p.set(m, jsontree.NewNumber(g.Int(r.number(at, design), -1)))
			} else {
				p.set(m, jsontree.NewString(fill(g, kindsOfText[at])))
			}
		}
		return m
	})
}
