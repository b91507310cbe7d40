package explore

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// tryAgain tries operations again after all others: what they need may be known by now,
// or other operations may have to come first. An operation that is reached so may be what
// another one waits for. It reports whether one was accepted.
func (t *Target) tryAgain(ctx, asking context.Context, list []*preflight) bool {
	settled, left := false, slices.Clone(list)
	again := func(try func(*preflight, context.Context) bool) bool {
		before, n := len(left), len(left)
		left = slices.DeleteFunc(left, func(p *preflight) bool {
			t.turn, n = turn(end(asking), n), n-1
			accepted := asking.Err() == nil && p.inTime(asking, try(p, asking))
			settled = t.settles(ctx, p, accepted) || settled
			return accepted
		})
		return len(left) < before
	}
	for _, try := range []func(*preflight, context.Context) bool{(*preflight).secondTry, (*preflight).lastTry, (*preflight).tryWithoutTurn} {
		for more := again(try); more; {
			more = again((*preflight).thirdTry)
		}
	}
	for _, p := range left {
		if t.Ended == "" && !t.gone && !t.Aside[p.op.First()] && asking.Err() == nil && (p.last == nil || p.last.Failure != nil || !p.ordered(ctx)) {
			p.unreached(ctx)
		}
	}
	return settled
}

// settles learns what follows from an accepted request of an operation that is tried.
func (t *Target) settles(ctx context.Context, p *preflight, accepted bool) bool {
	if !accepted || t.Ended != "" || t.gone || !p.harmless(ctx) || t.Aside[p.op.First()] {
		return false
	}
	p.learned(ctx)
	return true
}

// secondTry tries an operation once more, and then after another one about the same thing.
func (p *preflight) secondTry(ctx context.Context) bool {
	first := p.refused
	p.refused = nil
	if len(p.op.Bind) > 0 && (p.reached(ctx) || p.supplied(ctx)) {
		return true
	}
	if p.refused == nil {
		p.refused = first
	}
	return slices.ContainsFunc([]func(*preflight, context.Context) bool{
		(*preflight).listed, (*preflight).before, (*preflight).filled, (*preflight).choosesOther, (*preflight).told, (*preflight).unguessed, (*preflight).dated,
		(*preflight).smaller, (*preflight).exemplified, (*preflight).emptied, (*preflight).completed,
	}, func(try func(*preflight, context.Context) bool) bool { return p.stateful() && !p.over() && try(p, ctx) })
}

// thirdTry tries an operation again because another one is accepted by now, which may make what
// it needs or have to come first.
func (p *preflight) thirdTry(ctx context.Context) bool {
	if len(p.op.Bind) > 0 && p.reached(ctx) {
		return true
	}
	return p.stateful() && (p.before(ctx) || p.filled(ctx))
}

// lastTry tries an action about a resource that an example of the document names.
func (p *preflight) lastTry(ctx context.Context) bool {
	p.lastResort = slices.ContainsFunc(p.t.Reach.Of(p.op), func(n resource.Need) bool {
		return slices.ContainsFunc(n.Dependencies, func(w resource.Dependency) bool { return p.usesUp(n, w) })
	})
	return p.lastResort && p.reached(ctx)
}

// completed tries the optional members of an operation that needs something that exists: a
// target may demand If-Match, say, with the entity tag of that resource (RFC 6585, 3). So may one
// that makes a resource under the key that a request names need members that no schema requires.
func (p *preflight) completed(ctx context.Context) bool {
	dependencies, _ := p.ownWays()
	named := resource.Creates(p.op) // under a key of the request: 404 does not say that it is missing
	if dependencies == nil || p.refused == nil || p.refused.Exchange.Failure != nil {
		return false
	}
	if status := p.refused.Exchange.Status(); !refusesRepeats(status) && !(named && status == http.StatusNotFound) {
		return false
	}
	for _, n := range p.t.Reach.Of(p.op) {
		if n.Optional && len(n.Dependencies) > 0 {
			dependencies[n.Path] = n.Dependencies[0]
		}
	}
	first := p.refused
	p.facts.Reached = &Reached{Ways: dependencies, Own: needsOwn(p.t.Contract, p.op)}
	if p.needs(ctx) {
		status := first.Exchange.Status()
		p.facts.Demands = status == http.StatusPreconditionRequired && p.op.Lists(status) != nil
		return true
	}
	p.facts.Reached, p.refused = nil, first
	return false
}

// choosesOther tries other values of enums than the first: a resource may be in that state already.
func (p *preflight) choosesOther(ctx context.Context) bool {
	if !refusesRepeats(p.refused.Exchange.Status()) {
		return false
	}
	first := p.refused
	for n := 1; n < min(plan.CountChoices(p.op), maxChoices); n++ {
		p.t.Facts.choices.Set(p.op, n)
		if p.accepted(ctx) {
			return true
		}
	}
	p.t.Facts.choices.Set(p.op, 0)
	p.refused = first
	return false
}

// told tries texts of the kinds that only sentences tell of.
func (p *preflight) told(ctx context.Context) bool {
	first := p.refused
	if !refusesRepeats(first.Exchange.Status()) || !p.op.TellsKinds() {
		return false
	}
	p.draws(&p.t.Facts.told, true)
	if p.accepted(ctx) {
		return true
	}
	p.refused = first // they stay, beside what is tried next
	return false
}

// unguessed gives up what names and sentences suggest of the kinds and the order of values.
func (p *preflight) unguessed(ctx context.Context) bool {
	first := p.refused
	if !refusesRepeats(first.Exchange.Status()) || !p.op.Suggests() {
		return false
	}
	p.draws(&p.t.Facts.unguessed, true)
	if p.accepted(ctx) {
		return true
	}
	p.draws(&p.t.Facts.unguessed, false)
	p.refused = first
	return false
}

// draws sets how values are drawn for the operation, and for its copies that share its parameters or
// body.
func (p *preflight) draws(as *plan.Operations, is bool) {
	for _, row := range p.op.Beside() {
		as.Set(row, is)
	}
}

// dated tries dates of the next weeks, then those in the past: nothing may be booked too early, or
// said to have happened that did not.
func (p *preflight) dated(ctx context.Context) bool {
	if !slices.ContainsFunc(p.op.Members(), hasDate) || !refusesRepeats(p.refused.Exchange.Status()) {
		return false
	}
	first := p.refused
	for _, era := range []*plan.Operations{&p.t.Facts.soon, &p.t.Facts.past} {
		era.Set(p.op, true)
		if p.accepted(ctx) {
			return true
		}
		era.Set(p.op, false)
	}
	p.refused = first
	return false
}

// hasDate reports whether a member is a required date that may lie in the future.
func hasDate(m openapi.Member) bool {
	return m.Required && (m.Schema.Format == "date" || m.Schema.Format == "date-time") && !m.Schema.Past && m.Schema.Drawn() == nil
}

// maxChoices is how many values of an enum are tried.
const maxChoices = 6

// smaller tries small numbers: no more may be ordered than are in stock, say, or transferred
// than an account has. It reports whether they are accepted.
func (p *preflight) smaller(ctx context.Context) bool {
	if !plan.HasSmall(p.op) || !refusesRepeats(p.refused.Exchange.Status()) {
		return false
	}
	first := p.refused
	p.t.Facts.small.Set(p.op, true)
	if p.accepted(ctx) || p.before(ctx) || p.prepared(ctx) || p.completed(ctx) {
		return true
	}
	p.t.Facts.small.Set(p.op, false)
	p.refused = first
	return false
}

// stateful reports whether the state of a resource may be why an operation is refused.
func (p *preflight) stateful() bool {
	return p.refused != nil && p.refused.Exchange.Status()/100 == 4
}

// before looks for another operation about the same thing that must come first, where
// the state of the resource may be the reason of a refusal. That operation may need others
// before it: an article is submitted before it is approved, and approved before it is
// published.
func (p *preflight) before(ctx context.Context) bool {
	dependencies, makes := p.ownWays()
	return makes && p.behind(ctx, dependencies, p.chains())
}

// behind tries the operation after each of some chains of others, until it is accepted.
func (p *preflight) behind(ctx context.Context, dependencies map[string]resource.Dependency, chains [][]*openapi.Operation) bool {
	for i, chain := range chains {
		if i > 0 && p.over() {
			break
		}
		p.facts.Reached = &Reached{Ways: dependencies, Own: true, Before: chain}
		if p.attempt(ctx) == nil && p.facts.Accepted {
			return true
		}
	}
	p.facts.Reached = nil
	return false
}

// ownWays returns a way to each value that the operation needs: where one makes a resource, the
// first of those that leads to a value. It reports whether there is one, and whether no other value is without a way.
func (p *preflight) ownWays() (dependencies map[string]resource.Dependency, makes bool) {
	dependencies = map[string]resource.Dependency{}
	for _, n := range p.t.Reach.Of(p.op) {
		at := slices.IndexFunc(n.Dependencies, func(w resource.Dependency) bool {
			return (w.Kind == resource.Producer || w.Kind == resource.Link || w.Kind == resource.Named) && !slices.Contains(p.vain[n.Path], w.String())
		})
		makes = makes || at >= 0
		if at < 0 && !n.Optional {
			at = slices.IndexFunc(n.Dependencies, func(w resource.Dependency) bool {
				return mayUse(p.op, w) && !slices.Contains(p.vain[n.Path], w.String())
			})
			if at < 0 {
				return nil, false
			}
		}
		dependencies[n.Path] = resource.Dependency{Kind: resource.Unknown}
		if at >= 0 {
			dependencies[n.Path] = n.Dependencies[at]
		}
	}
	return dependencies, makes
}

// chains lists the accepted operations about the same thing, each behind those that it
// needs before it, the shortest first. What deletes the resource comes last: an action may
// restore it.
func (p *preflight) chains() [][]*openapi.Operation {
	var out [][]*openapi.Operation
	for _, op := range p.t.Contract.Operations {
		if op == p.op.First() || !p.t.Facts.Of(op).Accepted || !p.about(op) {
			continue
		}
		chain := p.t.chain(op)
		if len(chain) > maxBefore || slices.Contains(chain, p.op.First()) {
			continue
		}
		out = append(out, chain)
		if op.Method == http.MethodPost && op.Response(http.StatusCreated) != nil && len(chain) < maxBefore {
			out = append(out, append(slices.Clone(chain), op)) // a poll needs two options
		}
	}
	deletes := func(chain []*openapi.Operation) int {
		return slices.IndexFunc(chain, func(op *openapi.Operation) bool { return op.Method == http.MethodDelete })
	}
	slices.SortStableFunc(out, func(a, b []*openapi.Operation) int {
		return cmp.Or(cmp.Compare(deletes(a), deletes(b)), len(a)-len(b))
	})
	return out
}

// chain returns an accepted operation behind those that it needs before it.
func (t *Target) chain(op *openapi.Operation) []*openapi.Operation {
	r := t.Facts.Of(op).Reached
	if r == nil {
		return []*openapi.Operation{op}
	}
	return append(slices.Clone(r.Before), op)
}

// maxBefore is how many operations may have to come before another one.
const maxBefore = 5

// about reports whether an operation changes the resource that this one is about.
func (p *preflight) about(op *openapi.Operation) bool {
	if op.Method == http.MethodGet || op.Method == http.MethodHead || len(op.Bind) == 0 {
		return false
	}
	item := p.op.Path[:strings.LastIndexByte(p.op.Path, '}')+1]
	if op.Method == http.MethodDelete {
		return p.op.Method == http.MethodPost && op.Path == item && p.op.Path != item
	}
	return item != "" && strings.HasPrefix(op.Path, item) && strings.Count(op.Path, "{") == strings.Count(item, "{")
}

// repeated tries a PUT with the values of the request that made the resource: a server may refuse to
// change the number of a vehicle, and no schema says so. It reports whether that is accepted, and
// keeps only the members that have to be repeated.
func (p *preflight) repeated(ctx context.Context) bool {
	dependencies, makes := p.ownWays()
	if p.op.Method != http.MethodPut || !makes || !refusesRepeats(p.refused.Exchange.Status()) {
		return false
	}
	takes := func(paths []string) bool {
		given, dependencies := map[string]*jsontree.Value{}, maps.Clone(dependencies)
		for _, path := range paths {
			given[path] = nil
			if _, needed := dependencies[path]; needed {
				dependencies[path] = resource.Dependency{Kind: resource.Any}
			}
		}
		p.t.Facts.given.Set(p.op, given)
		p.facts.Reached = &Reached{Ways: dependencies, Own: true, Repeated: paths}
		return ctx.Err() == nil && p.attempt(ctx) == nil && p.facts.Accepted
	}
	all := p.alsoMade(p.makerOf(dependencies))
	if len(all) > 0 && takes(all) && takes(onlyNeeded(all, takes)) {
		return true
	}
	p.t.Facts.given.Set(p.op, nil)
	p.facts.Reached, p.facts.Accepted = nil, false
	return false
}

// steadied tries repeated for a PUT that was accepted once and is then refused: the values of the
// first request may have fitted the resource by chance. If that does not help, nothing changes.
func (p *preflight) steadied(ctx context.Context) {
	if p.op.Method != http.MethodPut {
		return
	}
	message, last, reached := p.message, p.last, p.facts.Reached
	p.refused = nil
	steady := true
	for range needed - 1 {
		steady = steady && p.attempt(ctx) == nil && p.facts.Accepted
	}
	if !steady && ctx.Err() == nil && p.stateful() && p.repeated(ctx) {
		return
	}
	p.message, p.last, p.facts.Reached, p.facts.Accepted = message, last, reached, true
}

// onlyNeeded returns the paths that have to be repeated.
func onlyNeeded(all []string, takes func(paths []string) bool) []string {
	for _, path := range slices.Clone(all) {
		fewer := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == path })
		spare := len(fewer) > 0
		for range needed {
			spare = spare && takes(fewer)
		}
		if spare {
			all = fewer
		}
	}
	return all
}

// makerOf returns the operation that makes what the path names.
func (p *preflight) makerOf(dependencies map[string]resource.Dependency) *openapi.Operation {
	names := openapi.Expressions(p.op.Path)
	if len(names) == 0 {
		return nil
	}
	return dependencies[openapi.PathPlace(names[len(names)-1])].From
}

// alsoMade lists the required members of the body that the operation which makes the resource has too.
func (p *preflight) alsoMade(from *openapi.Operation) []string {
	if from == nil || from.Body == nil || p.op.Body == nil {
		return nil
	}
	var out []string
	for _, m := range p.op.Members() {
		same := from.Body.Shape.Schema.Property(m.Name)
		if m.Required && strings.HasPrefix(m.Path, "/") && same != nil && same.Schema.Type() == m.Schema.Type() {
			out = append(out, m.Path)
		}
	}
	return out
}
