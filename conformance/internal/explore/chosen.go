package explore

import (
	"context"
	"slices"
	"sync"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// chosen keeps the values that the run chose itself for parameters outside of the path
// that may name a thing, by name: what is made for one tenant is read for the same one.
// Many may use it at the same time.
type chosen struct {
	mu   sync.Mutex
	kept map[string][]*jsontree.Value // more than one if no value fits all operations
	// once are the names whose value the target takes only once.
	once map[string]bool
}

func newChosen() *chosen {
	return &chosen{kept: map[string][]*jsontree.Value{}, once: map[string]bool{}}
}

// value returns the value for a place, or nil if each request has one of its own.
func (k *chosen) value(t *Target, op *openapi.Operation, path string) *jsontree.Value {
	if !openapi.Scope(path) || op.Params == nil {
		return nil
	}
	list := op.Members()
	at := slices.IndexFunc(list, func(m openapi.Member) bool { return m.Path == path })
	if at < 0 {
		return nil
	}
	name := openapi.Flat(list[at].Name)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.once[name] {
		return nil
	}
	for _, v := range k.kept[name] {
		if op.Params.Matches(list[at].Schema, v) {
			return v
		}
	}
	v := t.Fresh(op).BaselineAt(path, list[at].Schema)
	k.kept[name] = append(k.kept[name], v)
	return v
}

// values returns the values of an operation, by path.
func (k *chosen) values(t *Target, op *openapi.Operation) map[string]*jsontree.Value {
	r := t.Facts.Of(op).Reached
	if r == nil {
		return nil
	}
	out := map[string]*jsontree.Value{}
	for _, n := range t.Reach.Of(op) {
		if r.Ways[n.Path].Kind != resource.Any {
			continue
		}
		if v := k.value(t, op, n.Path); v != nil {
			out[n.Path] = v
		}
	}
	return out
}

// keepsChosen finds out whether the values that the run chose for an operation may be
// sent again. If not, each request gets one of its own.
func (p *preflight) keepsChosen(ctx context.Context) {
	used := p.t.chosen.values(p.t, p.op)
	if len(used) == 0 {
		return
	}
	accepted, message := p.last, p.message
	if !p.try(ctx, p.t.Baseline(p.t.Fresh(p.op))) && p.last != nil && p.last.Failure == nil && p.last.Response.Status/100 == 4 {
		p.t.chosen.spend(p.op, used)
		p.t.shared.forget(p.op)
	}
	p.last, p.message = accepted, message
}

// spend notes that values are taken only once.
func (k *chosen) spend(op *openapi.Operation, used map[string]*jsontree.Value) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, m := range op.Members() {
		if used[m.Path] != nil {
			k.once[openapi.Flat(m.Name)] = true
		}
	}
}

// chooses reports whether the run chooses every value that an operation needs, because
// nothing in the document gives one. Such an operation is asked like one without needs.
func (p *preflight) chooses() bool {
	ways := map[string]resource.Way{}
	for _, n := range p.t.Reach.Of(p.op) {
		if !openapi.Scope(n.Path) || n.Optional || len(n.Ways) != 1 || n.Ways[0].Kind != resource.Any {
			return false
		}
		ways[n.Path] = n.Ways[0]
	}
	p.facts.Reached = &Reached{Ways: ways, Own: needsOwn(p.t.Contract, p.op)}
	return true
}
