// Package verdict judges exchanges. New binds each requirement to its rule, Cover
// finds which requirements a case can test, and Check asks the rules about one step
// that was sent. The outcome of a case is a Record.
//
// Nothing here sends anything.
package judge

import (
	"maps"
	"slices"
	"sort"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
)

// Judge holds the requirements of a document, each with its rule, and judges
// exchanges by them.
type Judge struct {
	// Bound is in the order in which the rules are asked: the requirements of an
	// operation together, the most basic first.
	Bound    []Bound
	Plan     *plan.Plan
	Endpoint *message.Endpoint
	// Redactor removes credentials from what is shown.
	Redactor *redact.Redactor
	// Facts is what is known of the target.
	Facts *explore.Facts
	// Origins knows which request sent which value.
	Origins *Origins
	// Taken knows which values of valid requests were accepted.
	Taken *Taken
	// Noted, if not nil, is called with each exchange that was checked.
	Noted func(caseID string, p *Played)

	ops    map[*openapi.Operation]part
	covers *covers
}

// Bound is a requirement with its rule.
type Bound struct {
	*requirement.Requirement
	Rule *rule.Rule
	// Index is the place of the requirement in the set.
	Index int
}

// part is the place of an operation's requirements in Bound.
type part struct{ first, end int }

// New binds the requirements to their rules.
func New(set *requirement.Set, rules []rule.Rule, p *plan.Plan, e *message.Endpoint) *Judge {
	j := &Judge{Plan: p, Endpoint: e, Redactor: redact.New(redact.Secret{Value: e.Token, Shown: "$CONFORMANCE_TOKEN"}),
		Facts: &explore.Facts{}, Origins: &Origins{}, Taken: &Taken{}, ops: map[*openapi.Operation]part{}, covers: &covers{}}
	order := map[string]int{}
	for i := range rules {
		order[rules[i].Name] = i
	}
	ops := map[*openapi.Operation]int{}
	j.Bound = make([]Bound, 0, len(set.List))
	for i, r := range set.List {
		j.Bound = append(j.Bound, Bound{r, &rules[order[r.Rule]], i})
		if _, known := ops[r.Op]; !known {
			ops[r.Op] = len(ops)
		}
	}
	sort.SliceStable(j.Bound, func(a, b int) bool {
		x, y := j.Bound[a], j.Bound[b]
		switch {
		case x.Op != y.Op:
			return ops[x.Op] < ops[y.Op]
		case x.Rule.Rank != y.Rule.Rank:
			return x.Rule.Rank < y.Rule.Rank
		}
		return order[x.Rule.Name] < order[y.Rule.Name]
	})
	for i, b := range j.Bound {
		of, known := j.ops[b.Op]
		if !known {
			of.first = i
		}
		of.end = i + 1
		j.ops[b.Op] = of
	}
	for op, of := range maps.Clone(j.ops) {
		for _, further := range op.Further {
			j.ops[further] = of
		}
	}
	return j
}

// Of returns the range in Bound of an operation's requirements: from first, and
// before end. Those of its further media types are among them.
func (j *Judge) Of(op *openapi.Operation) (first, end int) {
	of := j.ops[op]
	return of.first, of.end
}

// NewSet returns an empty set of requirements of an operation.
func (j *Judge) NewSet(op *openapi.Operation) Set {
	of := j.ops[op]
	return Set{first: of.first, words: make([]uint64, (of.end-of.first+63)/64)}
}

// Answered returns the place in Bound of the requirement that the requests of a case get an
// answer, or -1.
func (j *Judge) Answered(c *plan.Case) int {
	for at, end := j.Of(c.Op); at < end; at++ {
		if b := &j.Bound[at]; c.Class.Hinted && slices.Contains(c.Class.Rules, b.Rule.Name) || !c.Class.Hinted && b.Rule.Rank == rule.Answered {
			return at
		}
	}
	return -1
}
