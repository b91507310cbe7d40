package mutate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

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
	return fully(s, wholeBody, kind, rows, func(g *generate.Gen, r kindsRow) *message.Message {
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
