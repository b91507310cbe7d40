package explore

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// shared keeps the values that the requests of an operation have in common, where
// they change nothing. Many may use it at the same time.
type shared struct {
	mu     sync.Mutex
	values map[*openapi.Operation]map[string]*jsontree.Value
	// own are the operations whose requests share nothing any more.
	own map[*openapi.Operation]bool
	// making are channels that are closed once somebody has made the values, or has
	// failed to.
	making map[*openapi.Operation]chan struct{}
}

func newShared() *shared {
	return &shared{values: map[*openapi.Operation]map[string]*jsontree.Value{}, own: map[*openapi.Operation]bool{},
		making: map[*openapi.Operation]chan struct{}{}}
}

// of returns the values of an operation, or nil.
func (k *shared) of(op *openapi.Operation) map[string]*jsontree.Value {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.values[op]
}

// reserve returns the values of an operation. If there are none, the caller makes them and
// then calls keep, with nil if that failed. Whoever comes meanwhile waits once: what
// one could not make, the others try without waiting for each other. Without values and
// keep, the request needs values of its own, or the run ended.
//
// Whoever makes values reserves no others, so that nobody waits in a circle.
func (k *shared) reserve(ctx context.Context, op *openapi.Operation) (values map[string]*jsontree.Value, keep func(map[string]*jsontree.Value)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if made := k.making[op]; made != nil {
		k.mu.Unlock()
		select {
		case <-made:
		case <-ctx.Done():
		}
		k.mu.Lock()
	}
	switch {
	case k.own[op] || ctx.Err() != nil:
		return nil, nil
	case k.values[op] != nil:
		return k.values[op], nil
	}
	made := make(chan struct{})
	k.making[op] = made
	return nil, func(got map[string]*jsontree.Value) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if got != nil && !k.own[op] {
			k.values[op] = got
		}
		if k.making[op] == made {
			delete(k.making, op)
		}
		close(made)
	}
}

// forget drops the values of an operation.
func (k *shared) forget(op *openapi.Operation) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.values, op)
}

// forgetAll drops the values of all operations.
func (k *shared) forgetAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.values)
}

// Unshare makes every later request of an operation get a thing of its own.
func (t *Target) Unshare(op *openapi.Operation) {
	k := t.shared
	k.mu.Lock()
	defer k.mu.Unlock()
	k.own[op] = true
	delete(k.values, op)
}

// noMoreTries is how many baseline requests a thing must refuse. One may be refused by chance,
// because its date is taken.
const noMoreTries = 3

// TakesNoMore reports whether baseline requests about the things that values name are refused
// with the given status: then they refuse every request in this way, and not a single one.
func (t *Target) TakesNoMore(ctx context.Context, s Session, op *openapi.Operation, values map[string]*jsontree.Value, status int) bool {
	for range noMoreTries {
		e := t.Send(ctx, s, t.Baseline(t.Fresh(op)).Put(values), "control", "control")
		if e == nil || e.Failure != nil || e.Response.Status != status {
			return false
		}
	}
	return true
}

// NamesExample reports whether the requests of an operation are about a thing that others are about
// too: an example of the document names it.
func (t *Target) NamesExample(op *openapi.Operation) bool {
	r := t.Facts.Of(op).Reached
	if r == nil {
		return false
	}
	return slices.ContainsFunc(op.Bind, func(path string) bool {
		w := r.Ways[path]
		if w.From != nil && w.Request != "" {
			if from := t.Facts.Of(w.From).Reached; from != nil {
				w = from.Ways[w.Request]
			}
		}
		return w.Kind == resource.Example
	})
}

// namesThing reports whether a request of an operation names a thing in its path or body.
func namesThing(op *openapi.Operation) bool {
	return slices.ContainsFunc(op.Bind, func(path string) bool { return !openapi.Scope(path) })
}

// Clears reports whether an operation may delete what other requests are about: it deletes a
// whole collection, or was seen to.
func (t *Target) Clears(op *openapi.Operation) bool {
	return clears(op) || t.Facts.Of(op.First()).Clears
}

// clears reports whether an operation deletes a whole collection: its path ends with none of the
// things, and it names none.
func clears(op *openapi.Operation) bool {
	return op.Method == http.MethodDelete && !namesThing(op)
}
