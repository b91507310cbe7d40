package explore

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// repeated tries a PUT with the values of the request that made the thing: a server may refuse to
// change the number of a vehicle, and no schema says so. It reports whether that is accepted, and
// keeps only the members that have to be repeated.
func (p *preflight) repeated(ctx context.Context) bool {
	ways, makes := p.ownWays()
	if p.op.Method != http.MethodPut || !makes || !refusesRepeats(p.refused.Exchange.Response.Status) {
		return false
	}
	takes := func(paths []string) bool {
		given, ways := map[string]*jsontree.Value{}, maps.Clone(ways)
		for _, path := range paths {
			given[path] = nil
			if _, needed := ways[path]; needed {
				ways[path] = resource.Way{Kind: resource.Any}
			}
		}
		p.t.Facts.given.Set(p.op, given)
		p.facts.Reached = &Reached{Ways: ways, Own: true, Repeated: paths}
		return ctx.Err() == nil && p.attempt(ctx) == nil && p.facts.Accepted
	}
	all := p.alsoMade(p.thing(ways))
	if len(all) > 0 && takes(all) && takes(onlyNeeded(all, takes)) {
		return true
	}
	p.t.Facts.given.Set(p.op, nil)
	p.facts.Reached, p.facts.Accepted = nil, false
	return false
}

// steadied tries repeated for a PUT that was accepted once and is then refused: the values of the
// first request may have fitted the thing by chance. If that does not help, nothing changes.
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

// thing returns the operation that makes what the path names.
func (p *preflight) thing(ways map[string]resource.Way) *openapi.Operation {
	names := openapi.Expressions(p.op.Path)
	if len(names) == 0 {
		return nil
	}
	return ways[openapi.PathPlace(names[len(names)-1])].From
}

// alsoMade lists the required members of the body that the operation which makes the thing has too.
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
