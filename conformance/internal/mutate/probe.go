package mutate

import (
	"context"
	"fmt"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// Probe is the plan of one keyword in one dialect.
type Probe struct {
	Keyword Keyword
	Dialect string

	plan          *plan.Plan
	op            *openapi.Operation
	with, without *openapi.Shape
	keys          []openapi.Key // that derived requirements are about
	cases         map[Side][]*plan.Case
}

// Open plans the probe of a keyword and sorts its cases.
func Open(k Keyword, dialect string, catalogue []plan.Mutator) (*Probe, error) {
	schema, err := jsontree.Parse([]byte(k.Schema))
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of the probe is not JSON: %w", k.Name, err)
	}
	lifted := schema.Root.Clone()
	for _, pointer := range k.Lifted {
		if !lifted.RemoveAt(pointer) {
			return nil, fmt.Errorf("%s: nothing at %s of the probe", k.Name, pointer)
		}
	}
	p := &Probe{Keyword: k, Dialect: dialect, cases: map[Side][]*plan.Case{}}
	c, err := load(k.Name, dialect, schema.Root)
	if err != nil {
		return nil, err
	}
	less, err := load(k.Name, dialect, lifted)
	if err != nil {
		return nil, err
	}
	for _, r := range requirement.Derive(c).List {
		if r.Args.Key.Keyword != "" {
			p.keys = append(p.keys, r.Args.Key)
		}
	}
	p.op = c.Operations[0]
	p.with, p.without = c.Operations[0].Body.Shape, less.Operations[0].Body.Shape
	if p.plan, err = plan.New(c, nil, seed, draws); err != nil {
		return nil, err
	}
	if err := p.plan.Fill(context.Background(), catalogue); err != nil {
		return nil, err
	}
	for _, one := range p.plan.Cases {
		if !k.about(one.Class) || one.Op != p.op {
			continue // a copy for another alternative has keywords of its own
		}
		if side := p.Side(p.body(one, generate.Identity{Seed: seed})); side != Neither {
			p.cases[side] = append(p.cases[side], one)
		}
	}
	return p, nil
}

// Cases gives the cases of a side, in the order of the plan.
func (p *Probe) Cases(side Side) []*plan.Case { return p.cases[side] }

// Draw gives the body of a case with the chance and the fresh values of another
// draw; the nth of the same case is the same bytes each time.
func (p *Probe) Draw(c *plan.Case, n int) []byte {
	again := *c
	again.Seed += uint64(n)
	return p.body(&again, generate.Identity{Seed: seed + uint64(n)})
}

// Baseline is the body that every case begins with.
func (p *Probe) Baseline() []byte {
	return p.plan.Preflight(p.op, generate.Identity{Seed: seed}, 0).Baseline().Body()
}

// body gives what a case sends; nil where it is not the body that is tried.
func (p *Probe) body(c *plan.Case, id generate.Identity) []byte {
	steps := p.plan.Build(c, id)
	m := steps[len(steps)-1].Message
	if len(m.Fields) > 0 || len(m.Drop) > 0 || m.Framing != message.Length {
		return nil
	}
	return m.Body()
}

// Side reads bytes twice: as the schema has it, and without the keyword. Another
// spelling of a value shows nothing of the schema, and a body that no
// requirement is about is sent in vain.
func (p *Probe) Side(body []byte) Side {
	r := p.with.Read(body)
	if !r.Sound() || r.Respelled {
		return Neither
	}
	kept, keptWithout := len(r.Violations) == 0, len(p.without.Read(body).Violations) == 0
	switch {
	case kept && p.Keyword.Permits && keptWithout:
		return Neither
	case kept && (p.Keyword.Shows == nil || p.Keyword.Shows(r.Root())):
		return Valid
	case !kept && keptWithout && slices.ContainsFunc(p.keys, r.Violates):
		return Invalid
	}
	return Neither
}

// Kind gives what the exact judge calls the bytes.
func (p *Probe) Kind(body []byte) openapi.Kind { return p.with.Read(body).Kind }

// load makes the document of a probe: one operation with a JSON body.
func load(name, dialect string, schema *jsontree.Value) (*openapi.Contract, error) {
	document := fmt.Sprintf(`{"openapi": "%s.0", "info": {"title": "probe", "version": "1"}, "paths": {"/probe": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": %s}}},
		"responses": {"200": {"description": "taken"}, "400": {"description": "refused"}}}}}}`, dialect, schema.Emit())
	return openapi.Load(name+" in "+dialect, []byte(document))
}
