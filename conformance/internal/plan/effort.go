package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/nearest"
)

// Effort is how much a run tries.
type Effort struct {
	Name string
	// Requests is how many requests an operation gets, about; 0 sets no limit.
	Requests int
	// ForPlace is how many requests an operation gets at least for each place.
	ForPlace int
	// Values is how many values a class tries at most; 0 sets no limit.
	Values int
	// Long adds cases that take seconds each, or thousands of requests.
	Long bool
}

// Efforts lists the efforts that a user can ask for, the smallest first.
func Efforts() []Effort {
	return []Effort{
		{Name: "smoke", Requests: 30, Values: 1},
		{Name: "gate", Requests: 300, ForPlace: 10, Values: 3},
		{Name: usual},
		{Name: "deep", Long: true},
	}
}

// A document of up to so many operations and places is tried with the usual effort, in
// full, unless the user says otherwise.
const (
	usual         = "full"
	fewOperations = 5
	fewPlaces     = 200
)

// EffortFor returns the effort of a name. Without a name it depends on the number of
// operations, and of places in their requests. The error names the nearest effort, or all.
func EffortFor(name string, operations, places int) (Effort, error) {
	switch {
	case name == "" && operations <= fewOperations && places <= fewPlaces:
		name = usual
	case name == "":
		name = "gate"
	}
	var names []string
	for _, e := range Efforts() {
		if e.Name == name {
			return e.among(operations), nil
		}
		names = append(names, e.Name)
	}
	return Effort{}, fmt.Errorf("no effort %q: %s", name, cmp.Or(nearest.Hint(name, names), "use one of "+strings.Join(names, ", ")))
}

// At gate, a document of few operations gets about gateRequests in all, but at most
// maxRequests for each operation, or moreForPlace for each of its places, and moreValues for
// each class.
const (
	gateRequests = 9000
	maxRequests  = 1000
	moreForPlace = 25
	moreValues   = 5
)

// among returns the effort for a document of so many operations.
func (e Effort) among(operations int) Effort {
	if e.Name != "gate" {
		return e
	}
	if more := min(gateRequests/max(1, operations), maxRequests); more > e.Requests {
		e.Requests, e.ForPlace, e.Values = more, moreForPlace, moreValues
	}
	return e
}

// Limit sets the effort. It has to come before Fill.
func (p *Plan) Limit(e Effort) {
	p.Effort = e
	for _, s := range p.spaces {
		s.Long = e.Long
		if s.Max = e.Values; e.Values > 0 {
			s.Draws = min(s.Draws, e.Values)
			s.Places = max(minPlaces, e.Requests/placeRequests)
		}
	}
}

// A mutator goes to fewer places of a request where there are few requests.
const (
	minPlaces     = 8
	placeRequests = 3
)

// Places returns how many schemas the requests of all operations have.
func Places(c *openapi.Contract) int {
	n := 0
	for _, op := range c.Operations {
		n += placesOf(op)
	}
	return n
}

func placesOf(op *openapi.Operation) int {
	n := 0
	if op.Body != nil {
		n += op.Body.Shape.Size
	}
	if op.Params != nil {
		n += op.Params.Size
	}
	return n
}

// Tiers of classes: those about what the document says come first, then what servers
// may refuse, then what takes many requests.
const (
	stated = iota
	unusual
	long
	tiers
)

// shares are the parts of the budget that each tier gets, in percent. What one does
// not use, the next gets.
var shares = [tiers]int{stated: 75, unusual: 90, long: 100}

// serial is what a request counts for that runs beside no other.
const serial = 4

// choose keeps as many cases of an operation as the effort allows: the first case of
// each class before the second of any, spread over the places of the request. What a
// case costs is counted without its seed, which may give it another number of steps.
func (p *Plan) choose(op *openapi.Operation, made []Class) []Class {
	steps := make([]int, len(made))
	for k := range made {
		steps[k] = p.steps(&Case{Class: &made[k], Op: op})
	}
	if p.Effort.Requests == 0 {
		return p.fitting(op, made, steps)
	}
	budget := max(p.Effort.Requests, p.Effort.ForPlace*placesOf(op)) * partOf(op) / 100
	if p.spaces[op].Draws <= manyDraws {
		budget = min(budget, p.roomOf(op)/2) // as in fitting
	}
	return p.within(op, made, steps, budget)
}

// roomOf returns how many requests the fresh values of an operation suffice for.
func (p *Plan) roomOf(op *openapi.Operation) int {
	return (LastOffset - FirstOffset) / p.spaces[op].numbers
}

// steps counts the requests of a case.
func (p *Plan) steps(c *Case) int {
	if c.Class.Phase == Sequence || c.Class.Phase == Credential || c.Class.Phase == Scenarios || c.Class.Family == FamilySequence {
		return len(p.Build(c, Identity{Seed: p.Seed}))
	}
	return 1
}

// manyDraws is how many draws a user asks for by hand: they are never cut.
const manyDraws = 100

// fitting keeps what the fresh values of an operation suffice for.
func (p *Plan) fitting(op *openapi.Operation, made []Class, steps []int) []Class {
	room, need := p.roomOf(op), 0
	for k := range made {
		need += made[k].Cases * steps[k]
	}
	if need <= room || p.spaces[op].Draws > manyDraws {
		return made
	}
	all := len(made)
	kept := p.within(op, made, steps, room/2) // a sequence may have more steps in a later draw
	p.LeftOut = append(p.LeftOut, fmt.Sprintf("%s: %d of %d classes are not tried, and others have fewer cases: the operation needs too many values",
		op.Title(), all-len(kept), all))
	return kept
}

// within keeps cases of classes up to a number of requests. A case of each class has
// the given steps.
func (p *Plan) within(op *openapi.Operation, made []Class, steps []int, budget int) []Class {
	p.markSubjects(made)
	order := p.inTurn(op, made)
	kept, spent := make([]int, len(made)), 0
	for tier := range tiers {
		maximum := budget * shares[tier] / 100
		for draw := range maxCases(made) {
			for _, k := range order {
				c := &made[k]
				if tierOf(c) != tier || kept[k] < draw {
					continue // a case before it did not fit
				}
				cost := steps[k]
				if tier == long {
					cost *= serial
				}
				for kept[k] < min(c.Cases, max(draw+1, c.First)) && spent+cost <= maximum {
					kept[k]++
					spent += cost
				}
			}
		}
	}
	var out []Class
	for k, n := range kept {
		if n < made[k].Cases {
			p.thinned[op.First()] = true
		}
		if n > 0 {
			made[k].Cases = n
			out = append(out, made[k])
		}
	}
	return out
}

// maxCases is the number of cases of the largest class.
func maxCases(made []Class) int {
	n := 0
	for k := range made {
		n = max(n, made[k].Cases)
	}
	return n
}

func tierOf(c *Class) int {
	switch {
	case c.Phase == Scenarios:
		return stated
	case c.Phase == Sequence || c.Phase == Heavy || c.Family == FamilySequence:
		return long
	case c.Family == FamilyMayRefuse:
		return unusual
	}
	return stated
}

// The ranks of classes whose first case comes before those of others where there is room for
// few. Those of a subject that a mutator names, and those that it puts first, come before
// those about a whole body or place.
const (
	byBody = iota + 1
	bySubject
)

// fewest reports whether there is room for one class of each subject that a mutator names,
// and hardly for more.
func (e Effort) fewest() bool { return e.Values == 1 }

// markSubjects makes the first class of each subject come first, and of sharp ones the
// first of each kind.
func (p *Plan) markSubjects(made []Class) {
	known, kinds := map[string]bool{}, map[string]bool{}
	lead := func(c *Class, early int) {
		c.lead, c.First = max(c.lead, early), max(c.First, 1)
		known[subjectOf(c)] = true
	}
	for k := range made {
		if made[k].First > 0 {
			made[k].lead = bySubject
		}
	}
	if p.Effort.fewest() {
		for k := range made {
			if c := &made[k]; c.Subject != "" && !known[c.Subject] {
				lead(c, bySubject)
			}
		}
		return
	}
	for _, sharp := range []bool{true, false} {
		for k := range made {
			c, early := &made[k], byBody
			subject := subjectOf(c)
			kind := subject + " " + c.Kind
			if subject == "" || c.Sharp != sharp || kinds[kind] || known[subject] && !sharp {
				continue
			}
			if c.Subject != "" && !known[subject] {
				early = bySubject
			}
			kinds[kind] = true
			lead(c, early)
		}
	}
}

// subjectOf names what the first case of a class tests. Classes that name no subject test
// whether values of a place are accepted, or whether a reader of JSON is strict.
func subjectOf(c *Class) string {
	switch {
	case c.Subject != "":
		return c.Subject
	case c.Phase != Single:
		return ""
	case c.Family == FamilyNotJSON:
		return "not JSON " + c.Mutator
	case c.Expected == message.Accept && c.Place.Path != "":
		return "accepted " + c.Place.Path
	}
	return ""
}

// key is what classes that take turns have in common.
type key struct {
	first          int // how early what only one class tries comes, else 0
	place, mutator string
}

// keyOf returns the key of a class: credentials are one place, and so is what is not JSON.
func keyOf(c *Class) key {
	place := c.Place.Name
	if everywhere(c) {
		place = string(c.Family)
	}
	return key{c.lead, place, c.Mutator}
}

// everywhere reports whether a target tests what a class is about the same way in every
// operation.
func everywhere(c *Class) bool { return c.Family == FamilyCredential || c.Family == FamilyNotJSON }

// rank is the turn of a class: how many classes of its key have theirs before, and how
// many mutators of its place have theirs in the same turn before it.
type rank struct{ first, turn, above int }

// inTurn orders classes so that what only one of them tries comes first. Then every
// place has its turn before one has its second, and every mutator has one class at a
// place before one has its second there. What is tested alike everywhere begins with other
// classes in each operation.
func (p *Plan) inTurn(op *openapi.Operation, made []Class) []int {
	all, tried := map[key]int{}, map[key]int{}
	for k := range made {
		by := keyOf(&made[k])
		by.first = 0
		all[by]++
	}
	type round struct {
		first, turn int
		place       string
	}
	seen := map[round]int{}
	order, ranks := make([]int, len(made)), make([]rank, len(made))
	shift := max(0, slices.Index(p.ops, op))
	for k := range made {
		by := keyOf(&made[k])
		turn := tried[by]
		if n := all[by]; by.first == 0 && everywhere(&made[k]) {
			turn = (turn + n*shift/len(p.ops)) % n
		}
		at := round{by.first, turn, by.place}
		if p.Effort.fewest() {
			at.turn = 0 // every class of a place has its turn behind those before it
		}
		order[k], ranks[k] = k, rank{by.first, turn, seen[at]}
		tried[by]++
		seen[at]++
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := ranks[i], ranks[j]
		return cmp.Or(cmp.Compare(b.first, a.first), cmp.Compare(a.turn, b.turn), cmp.Compare(a.above, b.above))
	})
	return order
}
