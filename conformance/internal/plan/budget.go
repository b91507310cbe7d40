package plan

import (
	"fmt"
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Limits of a plan. All are counted and none is timed, so that a plan is the same
// on every machine. What exceeds them is left out and named.
const (
	mostWork  = 256 << 20 // openapi.Reading.Work of all values that are tried on the judge
	mostUnit  = 1 << 20   // of one baseline request
	classWork = 8         // baseline requests that a class takes to make and to look at
	leastWork = 1 << 20   // of one operation, however many there are
	// firstLooks is how many values of a class are looked at after the work is used up.
	firstLooks = 3
	tries      = 3 // baseline requests that are looked at before an operation is left out
)

// LeaveOut removes the operations for which no valid request can be made: their
// baseline request exceeds the budget, or this suite finds none that the schema
// allows. Their answers would prove nothing. They are named in the LeftOut of the
// contract. The error says that no operation is left.
func LeaveOut(c *openapi.Contract, seed uint64) error {
	p := &Plan{Seed: seed, Digest: c.Stated, spaces: map[*openapi.Operation]*Space{}}
	c.Operations = slices.DeleteFunc(c.Operations, func(op *openapi.Operation) bool {
		p.spaces[op] = &Space{Op: op}
		what := p.unmakable(op)
		if what == "" {
			p.leaveOutFurther(c, op)
			return false
		}
		c.Omit(openapi.Omitted{Operation: op, Why: "no valid request can be made: " + what})
		return true
	})
	return c.Empty()
}

// unmakable returns why no valid request of an operation can be made, or an empty
// string.
func (p *Plan) unmakable(op *openapi.Operation) string {
	if op.Body == nil && op.Params == nil {
		return ""
	}
	what := ""
	for n := range tries {
		g := p.Preflight(op, generate.Identity{Seed: p.Seed}, n*generate.RetryStride)
		m := g.Baseline()
		if g.Over != "" {
			return g.Over
		}
		r := m.Reading()
		if r == nil {
			what = "none was found that can be written"
			continue
		}
		if g.Took+r.Work > mostUnit {
			return "each costs too much work to generate and to judge"
		}
		switch {
		case r.Kind < openapi.Undecided:
			return ""
		case r.Kind == openapi.Undecided && !r.TooMuch():
			return "" // it is sent, and judged by what can be decided
		case r.Kind == openapi.Undecided:
			what = "it takes " + r.Open
		case len(r.Violations) > 0:
			v := r.Violations[0]
			what = fmt.Sprintf("none was found that keeps %s at %s", v.Keyword, onPath(v.Path))
		default:
			what = "none was found"
		}
	}
	return what
}

// onPath describes a path of a document in one line.
func onPath(path string) string {
	if path == "" {
		return "the request"
	}
	return exchange.Visible([]byte(jsontree.Cut(path, 100)))
}

// Spend counts the work of a value that was classified while classes are made. It
// returns false if the part of the operation is used up, and nothing more is tried.
func (s *Space) Spend(work int) bool {
	s.work -= work
	return s.work > 0
}

// More reports whether a class at a place looks at one more value, after so many. If the
// part of the operation is used up, each place still has one of its own, for the first
// values of each class: what one place costs takes nothing from another.
func (s *Space) More(place string, looked int) bool {
	return s.work > 0 || looked < firstLooks && s.apart[place] < s.share/max(1, placesOf(s.Op))
}

// Charge is Spend for a class at a place.
func (s *Space) Charge(place string, work int) bool {
	if s.work > 0 {
		return s.Spend(work)
	}
	if s.apart == nil {
		s.apart = map[string]int{}
	}
	s.apart[place] += work
	return false
}

// Leave records something that is not tried, once for each operation.
func (s *Space) Leave(what string) {
	what = exchange.Visible([]byte(what))
	if !slices.Contains(s.left, what) {
		s.left = append(s.left, what)
	}
}

// price measures the work of one baseline request of the operation.
func (p *Plan) price(s *Space) {
	g := p.Preflight(s.Op, generate.Identity{Seed: p.Seed}, 0)
	m := g.Baseline()
	s.unit = g.Took
	if r := m.Reading(); r != nil {
		s.unit += r.Work
	}
}

// divide gives each operation an equal part of the work, or a larger one if it has many
// places and its requests take long to make and to judge.
func (p *Plan) divide() {
	weight := func(op *openapi.Operation) int { return p.spaces[op].unit * max(1, placesOf(op)) }
	all := 0
	for _, op := range p.ops {
		all += weight(op)
	}
	for _, op := range p.ops {
		s := p.spaces[op]
		s.share = max(leastWork, mostWork/len(p.ops), int(float64(mostWork)*float64(weight(op))/float64(max(1, all))))
		s.work = s.share
	}
}

// roomFor returns how many classes of an operation fit into its part of the work,
// if every request takes as much as the baseline request.
func (s *Space) roomFor() int { return max(1, s.share/(classWork*max(1, s.unit))) }
