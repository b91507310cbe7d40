// Package plan makes the cases of a document from the lists of mutators, schemes and
// scenarios, and the values that they send. Cases are the same for every order, filter,
// shard and number of workers. A Gen makes the simplest valid values of a schema, with
// fresh numbers and words that no other request of a run has.
package plan

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"sync"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// Case is one thing to try.
type Case struct {
	ID    string // slug of the class, a slash, the draw: as reports print it
	Class *Class
	Draw  int
	Op    *openapi.Operation
	Seed  uint64
	// offset is the first of the case's own numbers for fresh values.
	offset  int
	steps   int
	numbers int
}

// Plan is all cases of a document in a fixed order.
type Plan struct {
	Contract *openapi.Contract
	Cases    []*Case
	// Digest and Seed are what every case depends on.
	Digest string
	Seed   uint64
	// LeftOut names, one line for each operation, what does not fit into a plan of
	// this size.
	LeftOut []string
	// Cut says that there was no time to make all cases; empty if there was.
	Cut string
	// Effort bounds the requests of each operation; the zero value sets no limit.
	Effort  Effort
	thinned map[*openapi.Operation]bool
	spaces  map[*openapi.Operation]*Space
	ops     []*openapi.Operation
}

// Space is the input of mutators: one operation and the limits of the run.
type Space struct {
	Op   *openapi.Operation
	Auth *message.Auth // nil if the operation needs no credential
	// Given are the valid credentials of the schemes of all operations.
	Given []message.Attempt
	// Resources are those of the document.
	Resources []*resource.Resource
	// Adder, if not nil, is the POST that adds items to the list that the operation reads, where
	// no single item can be read.
	Adder *openapi.Operation
	// Setter, if not nil, is the PUT of what the operation reads at a fixed path.
	Setter *openapi.Operation
	// Draws is the number of random cases of a class that has any.
	Draws int
	// Max is the maximum number of values that a class tries, Places the maximum
	// number of places that a mutator visits; 0 sets no limit.
	Max, Places int
	// Long asks for cases that take longer than most users would wait.
	Long bool
	// numbers is how many fresh values one message of the operation takes.
	numbers int
	// work is what is left of the operation's part of the work; left names what is
	// not tried.
	work int
	left []string
	// unvalued are the members of which no valid value was found.
	unvalued []string
	// apart is what each place took after that part was used up.
	apart map[string]int
	// share is that part at the start, unit what one baseline request takes.
	share, unit int

	mu   sync.Mutex // cases are built by several workers
	once map[string]any
}

// Once returns the result of a function for a key, and calls it only once.
func (s *Space) Once(key string, make func() any) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.once == nil {
		s.once = map[string]any{}
	}
	v, ok := s.once[key]
	if !ok {
		v = make()
		s.once[key] = v
	}
	return v
}

// New returns an empty plan, which is enough for the requests that belong to no
// case.
func New(c *openapi.Contract, schemes []message.Scheme, seed uint64, draws int) (*Plan, error) {
	p := &Plan{Contract: c, Digest: c.Stated, Seed: seed, spaces: map[*openapi.Operation]*Space{}, ops: c.Rows(),
		thinned: map[*openapi.Operation]bool{}}
	resources := resource.All(c.Operations)
	var auths []*message.Auth
	for _, op := range p.ops {
		s := &Space{Op: op, Resources: resources, Adder: resource.Adder(c.Operations, op), Setter: resource.Setter(c.Operations, op), Draws: draws}
		var err error
		if s.Auth, err = message.NewAuth(schemes, op); err != nil {
			return nil, err
		}
		auths = append(auths, s.Auth)
		p.spaces[op] = s
		s.numbers = p.numbers(op)
		p.price(s)
	}
	given := message.Given(auths)
	for _, s := range p.spaces {
		s.Given = given
	}
	p.divide()
	return p, nil
}

// Fill makes the cases from the catalogue. It returns the error of the context if
// that is cancelled. Where its time is over, the plan has the cases of the entries that
// were made for every operation until then, and Cut says so.
func (p *Plan) Fill(ctx context.Context, catalogue []Mutator) error {
	made, err := p.classes(ctx, catalogue)
	if err != nil {
		return err
	}
	for i, op := range p.ops {
		offset := FirstOffset // each operation has all numbers for itself
		for _, class := range made[i] {
			if cancelled(ctx) {
				return ctx.Err()
			}
			offset = p.add(op, class, offset)
		}
		if offset > LastOffset {
			return fmt.Errorf("the plan needs %d fresh values for %s and has %d: lower the number of draws", offset, op.Slug, LastOffset)
		}
	}
	sort.SliceStable(p.Cases, func(i, j int) bool {
		a, b := p.Cases[i], p.Cases[j]
		if a.Class.Phase != b.Class.Phase {
			return a.Class.Phase < b.Class.Phase
		}
		return a.Draw < b.Draw
	})
	return nil
}

// numbers returns how many fresh values one message takes at most: one for every
// member, optional ones too, and slack for values that a class adds.
func (p *Plan) numbers(op *openapi.Operation) int {
	g := p.Preflight(op, Identity{Seed: p.Seed}, 0)
	whole := func(s *schema.Schema) {
		g.BaselineValue(s)
		for _, q := range s.Properties {
			if !q.Required {
				g.BaselineValue(q.Schema)
			}
		}
	}
	if op.Body != nil {
		whole(op.Body.Shape.Schema)
	}
	if op.Params != nil {
		for _, in := range op.Params.Schema.Properties {
			whole(in.Schema)
		}
	}
	return g.Used() + Slack
}

// add appends the cases of a class and returns the next free number.
func (p *Plan) add(op *openapi.Operation, class Class, offset int) int {
	class.Connections = max(class.Connections, 1)
	for draw := range class.Cases {
		c := &Case{ID: class.Slug + "/" + strconv.Itoa(draw), Class: &class, Draw: draw, Op: op}
		c.Seed = Mix(p.Digest, c.ID, p.Seed)
		c.offset = offset
		c.steps = p.steps(c)
		c.numbers = p.spends(c)
		offset += c.numbers
		p.Cases = append(p.Cases, c)
	}
	return offset
}

// Space returns the input that the classes of an operation were made from.
func (p *Plan) Space(op *openapi.Operation) *Space { return p.spaces[op] }

// Find returns the case with that id, or nil.
func (p *Plan) Find(id string) *Case {
	for _, c := range p.Cases {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Build returns the steps of a case with fresh values from the identity.
func (p *Plan) Build(c *Case, id Identity) []Step {
	return c.Class.Build(p.gen(c, id), c.Draw)
}

// gen returns the generator of a case.
func (p *Plan) gen(c *Case, id Identity) *Gen {
	number := c.offset
	if id.Retry > 0 {
		number, id = RetryNumber(id.Retry), id.Later(id.Retry)
	}
	g := NewGen(c.Op, c.Seed, p.In(c.Op, id), number)
	g.draw = c.Draw
	return g
}

// Preflight returns a generator for a request that belongs to no case; number tells
// such requests apart.
func (p *Plan) Preflight(op *openapi.Operation, id Identity, number int) *Gen {
	return NewGen(op, Mix(p.Digest, "preflight", uint64(number)), p.In(op, id), number)
}

// In returns an identity as it is for one operation.
func (p *Plan) In(op *openapi.Operation, id Identity) Identity {
	if len(p.ops) > 1 {
		id.Space = op.Slug
	}
	return id
}

// Name is the id of the case in traces and reports.
func (c *Case) Name() string { return c.ID }

// Steps returns the number of requests of a case.
func (c *Case) Steps() int { return c.steps }

// Retries returns how many retry ids a repeat of the case takes.
func (c *Case) Retries() int { return (c.numbers + RetryStride - 1) / RetryStride }

// Opening returns the generator of an operation's first request.
func (p *Plan) Opening(op *openapi.Operation, id Identity) *Gen {
	if p.spaces[op].numbers > FirstOffset {
		return p.Preflight(op, id, LongOpening)
	}
	return p.Preflight(op, id, Opening)
}

// Places returns how many retry ids a request that belongs to no case takes.
func (p *Plan) Places(op *openapi.Operation) int {
	return (p.spaces[op].numbers + RetryStride - 1) / RetryStride
}
