package plan

import (
	"context"
	"fmt"
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
)

// A document may be too large for one run. Then every class tries fewer values, and
// what still does not fit is named in LeftOut.
const (
	manyPlaces  = 200   // of all request bodies: up to here classes are made in full
	placeCases  = 2000  // values of a class, all places together, beyond that
	mostPlaces  = 600   // of all request bodies that a mutator goes to
	leastPlaces = 2     // of one request body that a mutator goes to
	mostClasses = 24000 // of a thinned plan
	mostCases   = 3     // of a class of a large document
	manyDraws   = 100   // more are asked for by hand, and then never cut
)

// limits returns how many values a class tries and how many places of a body a
// mutator visits at most; 0 sets no limit.
func limits(c *contract.Contract) (values, placesOfOne int) {
	places := 0
	for _, op := range c.Operations {
		places += placesOf(op)
	}
	if places <= manyPlaces {
		return 0, 0
	}
	return max(1, placeCases/places), max(leastPlaces, mostPlaces/len(c.Operations))
}

// placesOf returns how many schemas a request of an operation has.
func placesOf(op *contract.Operation) int {
	n := 0
	if op.Body != nil {
		n += op.Body.Shape.Size
	}
	if op.Params != nil {
		n += op.Params.Size
	}
	return n
}

// crowded records an operation with more places than a mutator visits.
func (p *Plan) crowded(op *contract.Operation, places int) {
	if placesOf(op) <= places {
		return
	}
	p.thinned[op] = true
	p.LeftOut = append(p.LeftOut, fmt.Sprintf("%s %s: nothing is tried at more than %d of the %d places of its requests: the document is too large for one run",
		op.Method, op.Path, places, placesOf(op)))
}

// classes makes the classes of every operation, in the order of the catalogue.
func (p *Plan) classes(ctx context.Context, catalogue []Mutator) ([][]Class, error) {
	slugs := contract.NewSlugs()
	out := make([][]Class, len(p.ops))
	for i, op := range p.ops {
		for _, m := range catalogue {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, class := range m.Classes(p.spaces[op]) {
				class.Mutator = m.Name
				slug, err := class.slug(p.ops[i].Slug)
				if err != nil {
					return nil, err
				}
				class.Slug = slugs.Take(slug)
				out[i] = append(out[i], class)
			}
		}
		for _, what := range p.spaces[op].left {
			p.LeftOut = append(p.LeftOut, op.Method+" "+op.Path+": "+what)
		}
		out[i] = p.afford(op, out[i])
		if p.spaces[op].Most > 0 {
			out[i] = p.thin(op, out[i])
		}
	}
	if need := p.need(out); need > generate.LastOffset {
		if p.spaces[p.ops[0]].Draws > manyDraws {
			return nil, fmt.Errorf("the plan needs %d fresh values and has %d: lower the number of draws", need, generate.LastOffset)
		}
		for i, op := range p.ops {
			out[i] = p.thin(op, out[i])
		}
	}
	return out, nil
}

// afford keeps as many classes, evenly spread, as the operation's part of the work
// allows. If one request takes long to make or to judge, they all do.
func (p *Plan) afford(op *contract.Operation, made []Class) []Class {
	room := p.spaces[op].roomFor()
	if len(made) <= room {
		return made
	}
	p.LeftOut = append(p.LeftOut, fmt.Sprintf("%s %s: %d of %d classes are not tried: each request costs too much work",
		op.Method, op.Path, len(made)-room, len(made)))
	kept := make([]Class, room)
	for i := range kept {
		kept[i] = made[i*len(made)/room]
	}
	return kept
}

// need returns how many fresh values all classes take.
func (p *Plan) need(made [][]Class) int {
	need := generate.FirstOffset
	for i, op := range p.ops {
		if p.thinned[op] {
			continue // it has its part
		}
		for _, class := range made[i] {
			steps := 1
			if class.Phase == Sequence || class.Phase == Credential {
				steps = len(p.Build(&Case{Class: &class, Op: op}, generate.Identity{Seed: p.Seed}))
			}
			need += class.Cases * steps * p.spaces[op].numbers
		}
	}
	return need
}

// thin returns an operation an equal part of the fresh values. Each class keeps as
// many cases as fit, and if there are still too many, the most expensive are
// dropped.
func (p *Plan) thin(op *contract.Operation, made []Class) []Class {
	p.thinned[op] = true
	share := (generate.LastOffset - generate.FirstOffset) / len(p.ops)
	cost, order := make([]int, len(made)), make([]int, len(made))
	for k := range made {
		order[k] = k
		for draw := range min(made[k].Cases, mostCases) {
			cost[k] = max(cost[k], p.spends(&Case{Class: &made[k], Op: op, Draw: draw}))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cost[a] - cost[b] })
	room, spent := map[int]bool{}, 0
	classes := max(1, mostClasses/len(p.ops))
	for _, k := range order {
		if spent+cost[k] <= share && len(room) < classes {
			room[k], spent = true, spent+cost[k]
		}
	}
	most := max(1, min(share/max(spent, 1), classes/max(len(room), 1)))
	if p.spaces[op].Most > 0 {
		most = min(most, mostCases)
	}
	var kept []Class
	fewer := 0
	for k, class := range made {
		if !room[k] {
			continue
		}
		if class.Cases > most {
			class.Cases = most
			fewer++
		}
		kept = append(kept, class)
	}
	if dropped := len(made) - len(kept); dropped+fewer > 0 {
		p.LeftOut = append(p.LeftOut, fmt.Sprintf("%s %s: %d of %d classes are not tried, %d have fewer cases: the document is too large for one run",
			op.Method, op.Path, dropped, len(made), fewer))
	}
	return kept
}

// spends returns how many fresh values a case takes. If they are scarce they are
// counted, and otherwise there are enough for every member at every step. Large
// bodies are not made for this.
func (p *Plan) spends(c *Case) int {
	if !p.thinned[c.Op] || c.Class.Phase == Heavy {
		return max(c.steps, 1) * p.spaces[c.Op].numbers
	}
	g := p.gen(c, generate.Identity{Seed: p.Seed})
	c.Class.Build(g, c.Draw)
	return g.Used() - c.offset + generate.Slack
}

// Thinned reports whether some cases of the operation were dropped.
func (p *Plan) Thinned(op *contract.Operation) bool { return p.thinned[op] }
