package explore

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// prepared looks for an operation that has to come first because it changes what the body of
// this one names: an account gets money before some of it is transferred.
func (p *preflight) prepared(ctx context.Context) bool {
	ways, makes := p.ownWays()
	if !makes {
		return false
	}
	var chains [][]*openapi.Operation
	for _, op := range p.t.Contract.Operations {
		if p.prepares(op, ways) {
			chains = append(chains, p.t.chain(op))
		}
	}
	return p.behind(ctx, ways, chains)
}

// filled is prepared, if the refusal may be about a state: an empty cart cannot be ordered.
func (p *preflight) filled(ctx context.Context) bool {
	return p.op.Conflict(p.refused.Exchange.Response.Status) && p.prepared(ctx)
}

// prepares reports whether an accepted operation changes a thing that the body of this one
// names: both get it from the same operation. Its body may name others.
func (p *preflight) prepares(op *openapi.Operation, ways map[string]resource.Way) bool {
	reads := op.Method == http.MethodGet || op.Method == http.MethodHead
	if op == p.op.First() || op.Method == http.MethodDelete || reads || !p.t.Facts.Of(op).Accepted {
		return false
	}
	needs := 0
	for _, n := range p.t.Reach.Of(op) {
		same := len(p.t.named(op, n.Path, ways)) > 0
		switch {
		case n.Optional:
		case same:
			needs++
		case strings.HasPrefix(n.Path, "path/"):
			return false
		}
	}
	return needs > 0
}

// supplied looks for an operation that must come first when the one that should give a value is
// accepted but gives none: a worker gets a job only once there is one.
func (p *preflight) supplied(ctx context.Context) bool {
	if p.without == nil || p.without.First() == p.op.First() {
		return false
	}
	maker := &preflight{t: p.t, op: p.without.First(), facts: p.t.Facts.Of(p.without.First())}
	first := maker.facts.Reached
	if !maker.facts.Accepted || first == nil || len(first.Before) > 0 {
		return false
	}
	for _, chain := range maker.chains() {
		behind := *first
		behind.Before, behind.Own = chain, true
		maker.facts.Reached = &behind
		if p.reached(ctx) {
			return true
		}
	}
	maker.facts.Reached = first
	return false
}

// named lists the places whose value comes from the same part of the same operation's answer as
// the one that an operation needs at a place of its own: both name a thing of one kind.
func (t *Target) named(op *openapi.Operation, place string, ways map[string]resource.Way) []string {
	r := t.Facts.Of(op).Reached
	if r == nil {
		return nil
	}
	w := r.Ways[place]
	same := func(other resource.Way) bool {
		return w.Makes() && other.Makes() && w.From.First() == other.From.First() && w.Pointer == other.Pointer && w.Header == other.Header && w.Request == other.Request
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(ways)), func(path string) bool { return !same(ways[path]) })
}

// eachBefore returns the values of each request that comes before a message: one about the thing
// that the path of the message names, or one about each thing that its body names.
func (t *Target) eachBefore(op *openapi.Operation, r *Reached, m *message.Message) []map[string]*jsontree.Value {
	out := []map[string]*jsontree.Value{m.Bound}
	for _, n := range t.Reach.Of(op) {
		if n.Optional || m.Bound[n.Path] != nil || !strings.HasPrefix(n.Path, "path/") {
			continue
		}
		places := t.named(op, n.Path, r.Ways)
		var each []map[string]*jsontree.Value
		for _, values := range out {
			for _, place := range places {
				if v := m.Bound[place]; v != nil {
					one := maps.Clone(values)
					one[n.Path] = fit(op, n.Path, v.Clone())
					each = append(each, one)
				}
			}
		}
		out = each
	}
	return out
}
