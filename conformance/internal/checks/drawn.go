package checks

import (
	"strings"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var drawn = plan.Mutator{
	Name: "drawn",
	Doc:  "Makes a thing and changes it several times in an order of its own, because a server may handle the first change right and lose the next one, or bring back what was before.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			out = append(out, changedOften(s, r)...)
			out = append(out, deletedLate(s, r)...)
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.List }) {
			out = append(out, listedLate(s, r)...)
		}
		return out
	},
}

// changedOften makes the cases that end with reading what was changed.
func changedOften(s *plan.Space, r *resource.Resource) []plan.Class {
	rules := judges(storedReplaced, replacedMembers, storedPatched, patchLeavesRest, refusedUnchanged, etagChanges, strongETag)
	orders := possible(r, changeOrders())
	if len(orders) == 0 || drawnFor(s) == 0 {
		return nil
	}
	more := max(0, min(len(allActions(r)), maxActions)-1)
	c := about("read", rules, drawnFor(s)+more, func(g *plan.Gen, draw int) []plan.Step {
		if draw < len(orders) {
			return thenRead(g, r, orders[draw])
		}
		return thenRead(g, r, random(g, r))
	})
	c.Drawn = true
	return []plan.Class{c}
}

// deletedLate makes the cases that end with reading what was deleted after changes. It is
// read before its deletion: that shows whether it is only marked as deleted.
func deletedLate(s *plan.Space, r *resource.Resource) []plan.Class {
	orders := possible(r, deleteOrders())
	if len(orders) == 0 || drawnFor(s) == 0 {
		return nil
	}
	c := alone(about("deleted", judges(gone), min(len(orders), drawnFor(s)), func(g *plan.Gen, draw int) []plan.Step {
		return thenRead(g, r, orders[draw])
	}))
	c.Drawn = true
	return []plan.Class{c}
}

// listedLate makes the cases that end with listing what was deleted after a change. The
// filters of the list may not fit what was changed.
func listedLate(s *plan.Space, r *resource.Resource) []plan.Class {
	orders := possible(r, []string{"pld", "uld"})
	if len(orders) == 0 || drawnFor(s) == 0 {
		return nil
	}
	c := alone(about("listed", judges(unlisted), len(orders), func(g *plan.Gen, draw int) []plan.Step {
		return append(ownList(played(g, r, orders[draw])), next(wholeList(g, r)))
	}))
	c.Drawn = true
	return []plan.Class{c}
}

// The steps of an order, a letter each.
const (
	stepRead    = 'r'
	stepPut     = 'u'
	stepPatch   = 'p'
	stepAction  = 'a' // an operation that does something with the resource, which may be refused
	stepRefused = 'f' // a change that must be refused
	stepDelete  = 'd'
	stepList    = 'l'
	stepMake    = 'm' // another resource
	stepDrop    = 'x' // deletes that one
)

// changeOrders lists the orders of the first cases: each kind of change follows each other
// one, with and without a read between them. Those after them are random.
func changeOrders() []string {
	return []string{"rprp", "rup", "rpu", "ppp", "ruru", "rarp", "pf", "uuu", "pup", "upu", "rapr", "uf"}
}

// deleteOrders lists orders that end with a deletion.
func deleteOrders() []string { return []string{"rprd", "urd", "rmdx", "ard", "prprd"} }

// order is a row of steps. Its action is the one at a place of the list of those that the
// thing has.
type order struct {
	steps  string
	action int
}

// possible keeps the orders of which the document has all operations, those with an action
// once for each of the first.
func possible(r *resource.Resource, list []string) []order {
	var out []order
	for _, steps := range list {
		if strings.ContainsFunc(steps, func(step rune) bool { return !hasStep(r, step) }) {
			continue
		}
		out = append(out, order{steps, 0})
		for i := 1; strings.ContainsRune(steps, stepAction) && i < min(len(allActions(r)), maxActions); i++ {
			out = append(out, order{steps, i})
		}
	}
	return out
}

func hasStep(r *resource.Resource, step rune) bool {
	switch step {
	case stepPut:
		return r.Replace != nil && r.Replace.Body != nil
	case stepPatch:
		return patches(r)
	case stepAction:
		return len(allActions(r)) > 0
	case stepRefused:
		return patches(r) && canCorrupt(r.Patch)
	case stepDelete:
		return r.Delete != nil
	case stepList:
		return r.List != nil
	case stepMake, stepDrop:
		return r.Delete != nil && !r.Chosen()
	}
	return true
}

// patches reports whether the members of a patch are those of the resource.
func patches(r *resource.Resource) bool {
	return r.Patch != nil && r.Patch.Body != nil && len(r.Patch.Body.Shape.Schema.Properties) > 0
}

// drawnFor returns how many cases a class has: none where there is room for one value of
// each class.
func drawnFor(s *plan.Space) int {
	switch {
	case s.Max == 1:
		return 0
	case s.Max > 1:
		return drawnFew
	}
	return drawnMany
}

const (
	drawnFew  = 7
	drawnMany = 16
)

// random draws an order of two to four steps, of which the last changes the resource.
func random(g *plan.Gen, r *resource.Resource) order {
	steps, changes := possible(r, []string{"r", "u", "p", "a", "f"}), possible(r, []string{"u", "p"})
	var out strings.Builder
	action := 0
	for range 1 + g.Rand.Intn(3) {
		one := steps[g.Rand.Intn(len(steps))]
		action = max(action, one.action)
		out.WriteString(one.steps)
	}
	return order{out.String() + changes[g.Rand.Intn(len(changes))].steps, action}
}
