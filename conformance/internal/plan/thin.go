package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/parallel"
)

// classes makes the classes of every operation, in the order of the catalogue: all of the
// first entry, and those of the others that the time is enough for.
func (p *Plan) classes(ctx context.Context, catalogue []Mutator) ([][]Class, error) {
	out := make([][]Class, len(p.ops))
	worst := make([]schema.Kind, len(p.ops))
	parallel.Each(len(p.ops), func(i int) { worst[i] = p.worst(p.ops[i]) })
	// Each operation has the classes of an entry before any has those of the next, so that a
	// plan that is cut has something of everything.
	for n, m := range catalogue {
		made := make([][]Class, len(p.ops))
		parallel.Each(len(p.ops), func(i int) {
			if ctx.Err() == nil || n == 0 {
				made[i] = p.classesOf(p.ops[i], m, worst[i])
			}
		})
		if cancelled(ctx) {
			return nil, ctx.Err()
		}
		if ctx.Err() != nil && n > 0 {
			p.Cut = fmt.Sprintf("cases were made with %d of %d mutators and scenarios: the plan may take half of the time limit: give more time with --max-time", n, len(catalogue))
			break
		}
		for i := range out {
			out[i] = append(out[i], made[i]...)
		}
	}
	slugs := openapi.NewSlugs()
	for i, op := range p.ops {
		for n := range out[i] {
			slug, err := out[i][n].slug(op.Slug)
			if err != nil {
				return nil, err
			}
			out[i][n].Slug = slugs.Take(slug)
		}
		for _, what := range p.spaces[op].left {
			p.LeftOut = append(p.LeftOut, op.Title()+": "+what)
		}
		if op.SameBytes() {
			out[i] = twoOf(out[i])
		}
		made, hinted := p.apart(out[i])
		if p.Effort.Requests > 0 {
			made = p.afford(op, p.choose(op, made))
		} else {
			made = p.choose(op, p.afford(op, made))
		}
		out[i] = append(made, hinted...)
	}
	return out, nil
}

// apart returns the classes of an operation that a text for people makes none of, and the others:
// these take no room and no fresh values from them.
func (p *Plan) apart(all []Class) (made, hinted []Class) {
	for _, c := range all {
		switch {
		case !c.Hinted:
			made = append(made, c)
		case !p.Effort.fewest():
			if p.Effort.Requests > 0 {
				c.Cases = min(c.Cases, max(1, c.First))
			}
			hinted = append(hinted, c)
		}
	}
	return made, hinted
}

// cancelled reports whether a context ended before its time was over.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// classesOf makes the classes of one entry for one operation. They have no slugs yet.
func (p *Plan) classesOf(op *openapi.Operation, m Mutator, worst schema.Kind) []Class {
	var out []Class
	for _, class := range m.classes(p.spaces[op]) {
		if op.IsAdditional() && !ofBody(&class) || op.Alternative != "" && class.Family == FamilyNotJSON {
			continue
		}
		class.Mutator = m.Name
		class.Expected = lowered(class.Expected, worst, len(op.Bind)+len(op.Parameters) > 0)
		out = append(out, class)
	}
	return out
}

// worst returns what the least acceptable of some baseline requests of an operation is.
// Most classes build on such a request, and few try it beforehand.
func (p *Plan) worst(op *openapi.Operation) schema.Kind {
	worst := schema.MustAccept
	if op.Body == nil && op.Params == nil {
		return worst
	}
	for n := range looks {
		r := p.Preflight(op, Identity{Seed: p.Seed}, n*RetryStride).Baseline().Reading()
		if r == nil {
			return schema.NotJSON
		}
		worst = max(worst, r.Kind)
	}
	return worst
}

// looks is how many baseline requests of an operation are looked at.
const looks = 5

// lowered is what a class may expect if baseline requests need not be taken, or are none
// that the schema allows: nothing then, and each request is judged by its own bytes.
func lowered(expected message.Expectation, worst schema.Kind, named bool) message.Expectation {
	switch {
	case expected == message.Accept && worst == schema.MayRefuse && !named,
		(expected == message.Accept || expected == message.Either) && worst > schema.Undecided:
		return message.Unstated
	}
	return expected
}

// afford keeps as many classes as the operation's part of the work allows: those that
// try what no other does, and the others evenly spread. If one request takes long to
// make or to judge, they all do.
func (p *Plan) afford(op *openapi.Operation, made []Class) []Class {
	room := p.spaces[op].roomFor()
	if len(made) <= room {
		return made
	}
	p.LeftOut = append(p.LeftOut, fmt.Sprintf("%s: %d of %d classes are not tried: each request costs too much work",
		op.Title(), len(made)-room, len(made)))
	p.markSubjects(made)
	var chosen, others []int
	for _, k := range p.inTurn(op, made) {
		if made[k].First > 0 && len(chosen) < room {
			chosen = append(chosen, k)
		} else {
			others = append(others, k)
		}
	}
	slices.Sort(others)
	for i, n := 0, room-len(chosen); i < n; i++ {
		chosen = append(chosen, others[i*len(others)/n])
	}
	slices.Sort(chosen)
	kept := make([]Class, room)
	for i, k := range chosen {
		kept[i] = made[k]
	}
	return kept
}

// spends returns how many fresh values a case takes at most: enough for every member
// at every step, or what its steps take if that is more.
func (p *Plan) spends(c *Case) int {
	if c.Class.Phase != Scenarios {
		return max(c.steps, 1) * p.spaces[c.Op].numbers
	}
	g, n := p.gen(c, Identity{Seed: p.Seed}), 0
	for _, st := range c.Class.Build(g, c.Draw) {
		n += p.spaces[st.Message.Op].numbers
	}
	return max(n, g.Used()-c.offset)
}

// Thinned reports whether some cases of the operation were dropped.
func (p *Plan) Thinned(op *openapi.Operation) bool { return p.thinned[op.First()] }
