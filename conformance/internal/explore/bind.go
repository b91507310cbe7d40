package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// Reached is how an operation gets the values that name something.
type Reached struct {
	// Ways are the chosen ones, by path.
	Ways map[string]resource.Dependency
	// Before are operations whose baseline request is sent first, about the same
	// thing: an order is paid before it is shipped.
	Before []*openapi.Operation
	// Repeated are members of the body that have what the request had which made the resource.
	Repeated []string
	// Own reports whether each request needs a resource of its own, because it changes
	// or deletes it.
	Own bool
	// Items are those of lists that a request was accepted with, by path: what is true of one item
	// of a list, such as that it has an attachment, need not be true of others.
	Items map[string]*jsontree.Value
}

// Renewable reports whether the operation can get another resource: one that is made, or a
// key that the client chooses.
func (r *Reached) Renewable() bool {
	for path, w := range r.Ways {
		if w.Makes() || w.Kind == resource.Any && !openapi.Scope(path) {
			return true
		}
	}
	return false
}

// MadeUp reports whether the run chooses a value of the path itself.
func (r *Reached) MadeUp() bool {
	for path, w := range r.Ways {
		if w.Kind == resource.Any && strings.HasPrefix(path, "path/") {
			return true
		}
	}
	return false
}

// through reports whether a value comes from the operation that was asked.
func (r *Reached) through(got *asked) bool {
	for _, w := range r.Ways {
		if got.by(w) {
			return true
		}
	}
	return false
}

// Bind puts the values of the target into messages, in place. What a message changes
// or deletes is made first, for it alone. The error says which request of the set-up
// was not accepted.
func (t *Target) Bind(ctx context.Context, s Session, list ...*message.Message) error {
	return t.bind(ctx, s, t.valuesFor, list)
}

// BindOwn is Bind with values that no other message shares.
func (t *Target) BindOwn(ctx context.Context, s Session, m *message.Message) error {
	own := func(ctx context.Context, s Session, op *openapi.Operation, r *Reached) (map[string]*jsontree.Value, error) {
		return t.obtain(ctx, s, op, r, 0, nil)
	}
	return t.bind(ctx, s, own, []*message.Message{m})
}

func (t *Target) bind(ctx context.Context, s Session, valuesFor func(context.Context, Session, *openapi.Operation, *Reached) (map[string]*jsontree.Value, error), list []*message.Message) error {
	for _, m := range list {
		r := t.Facts.Of(m.Op).Reached
		if r == nil || len(m.Bound) == 0 {
			continue
		}
		values, err := valuesFor(ctx, s, m.Op, r)
		if err != nil {
			return err
		}
		*m = *m.Put(values)
		if err := t.before(ctx, s, r, m); err != nil {
			return err
		}
	}
	return nil
}

// valuesFor returns the values of an operation: shared ones if it changes nothing.
func (t *Target) valuesFor(ctx context.Context, s Session, op *openapi.Operation, r *Reached) (map[string]*jsontree.Value, error) {
	if r.Own {
		return t.obtain(ctx, s, op, r, 0, nil)
	}
	known, keep := t.shared.reserve(ctx, op)
	if known != nil {
		noted(ctx, t.shared.madeFor(op)...)
		return known, nil
	}
	noting, by := Noting(ctx)
	values, err := t.obtain(noting, s, op, r, 0, nil)
	switch {
	case keep == nil:
	case err != nil:
		keep(nil)
	default:
		t.fill(noting, s, op, values)
		t.shared.madeBy(op, by.list)
		keep(values)
	}
	noted(ctx, by.Take()...)
	return values, err
}

// fill adds an item to the list that an operation reads, where another operation does
// so: an empty list shows nothing of its items. Without an item the list is read as it
// is.
func (t *Target) fill(ctx context.Context, s Session, list *openapi.Operation, values map[string]*jsontree.Value) {
	from := t.maker(list)
	if list.Method != http.MethodGet || from == nil || !givesList(list) {
		return
	}
	if needs, err := t.withOthers(ctx, s, from, values); err == nil {
		_, _ = t.setUp(ctx, s, t.Baseline(t.Fresh(from)).Put(needs))
	}
}

// withOthers adds to some values what else an operation needs.
func (t *Target) withOthers(ctx context.Context, s Session, op *openapi.Operation, values map[string]*jsontree.Value) (map[string]*jsontree.Value, error) {
	r := t.Facts.Of(op).Reached
	if r == nil || !slices.ContainsFunc(op.Bind, func(path string) bool { return values[path] == nil }) {
		return values, nil
	}
	all, err := t.obtain(ctx, s, op, r, 1, nil)
	if err != nil {
		return nil, err
	}
	maps.Copy(all, values)
	return all, nil
}

// givesList reports whether a documented success is a list, or has one as a member.
func givesList(op *openapi.Operation) bool {
	for _, r := range op.Documented(2) {
		for _, m := range r.Media {
			if m.Shape == nil {
				continue
			}
			array := func(p *schema.Property) bool { return p.Schema.Type() == "array" }
			if s := m.Shape.Schema; s.Type() == "array" || slices.ContainsFunc(s.Properties, array) {
				return true
			}
		}
	}
	return false
}

// maxDepth is how many resources may have to be made to make another one.
const maxDepth = 6

// obtain gets a value for every need of an operation but those that are known, the last
// of the path first: what makes it knows the resources before it.
func (t *Target) obtain(ctx context.Context, s Session, op *openapi.Operation, r *Reached, depth int, known map[string]*jsontree.Value) (map[string]*jsontree.Value, error) {
	values := map[string]*jsontree.Value{}
	maps.Copy(values, known)
	needs := t.Reach.Of(op)
	for i := len(needs) - 1; i >= 0; i-- {
		path := needs[i].Path
		w := r.Ways[path]
		switch {
		case w.About || w.None():
			continue
		case values[path] != nil:
			continue
		case w.Kind == resource.Any:
			if v := t.chosen.value(t, op, path); v != nil {
				values[path] = v
			}
			continue
		case w.Value != nil:
			values[path] = w.Value
			continue
		case depth >= maxDepth:
			return nil, &wayError{path: path, err: fmt.Errorf("%s needs too many things that need others", op.Slug)}
		}
		made, err := t.shown(ctx, s, op, w, depth+1)
		if err != nil {
			return nil, &wayError{path: path, err: err}
		}
		v := made.value(w)
		if v == nil {
			return nil, &wayError{path, fmt.Errorf("an answer has no value at %s", w), w.From}
		}
		if kept := r.Items[path]; kept != nil && made.lists(w, kept) {
			v = kept.Clone()
		}
		values[path] = fit(op, path, v)
		for _, at := range r.Repeated {
			if v := made.message.At(at); v != nil && w.Makes() && values[at] == nil {
				values[at] = v.Clone()
			}
		}
		for _, other := range needs[:i] {
			if before := made.message.At(other.Path); before != nil && known[other.Path] == nil && !strings.HasPrefix(other.Path, "/") {
				values[other.Path] = fit(op, other.Path, before.Clone())
				continue
			}
			// Take other values of the same operation from the same thing.
			if same := r.Ways[other.Path]; same.From == w.From && same.String() != w.String() && w.Makes() && same.Makes() && values[other.Path] == nil {
				if v := made.value(same); v != nil {
					values[other.Path] = fit(op, other.Path, v)
				}
			}
		}
	}
	return values, t.state(ctx, s, op, r, values)
}

// state adds the values that are asked of the resource itself, and says which are not
// known.
func (t *Target) state(ctx context.Context, s Session, op *openapi.Operation, r *Reached, values map[string]*jsontree.Value) error {
	for _, n := range t.Reach.Of(op) {
		w := r.Ways[n.Path]
		if w.None() {
			values[n.Path] = jsontree.NewNull()
		}
		if !w.About {
			continue
		}
		got, err := t.setUp(ctx, s, t.Baseline(t.Fresh(w.From)).Put(values))
		if err != nil {
			return &wayError{path: n.Path, err: err}
		}
		v := got.value(w)
		if v == nil {
			return &wayError{path: n.Path, err: fmt.Errorf("an answer has no %s", w)}
		}
		values[n.Path] = v
	}
	return nil
}

// chosen keeps the values that the run chose itself for parameters outside of the path
// that may name a resource, by name: what is made for one tenant is read for the same one.
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
	name := hints.Flat(list[at].Name)
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
	if !p.try(ctx, p.t.Baseline(p.t.Fresh(p.op))) && p.last.Status()/100 == 4 {
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
			k.once[hints.Flat(m.Name)] = true
		}
	}
}

// chooses reports whether the run chooses every value that an operation needs, because
// nothing in the document gives one. Such an operation is asked like one without needs.
func (p *preflight) chooses() bool {
	dependencies := map[string]resource.Dependency{}
	for _, n := range p.t.Reach.Of(p.op) {
		if !openapi.Scope(n.Path) || n.Optional || len(n.Dependencies) != 1 || n.Dependencies[0].Kind != resource.Any {
			return false
		}
		dependencies[n.Path] = n.Dependencies[0]
	}
	p.facts.Reached = &Reached{Ways: dependencies, Own: needsOwn(p.t.Contract, p.op)}
	return true
}

// BindBeside puts the key of a resource into the body of a message, at the member that refers to
// such things: the customer of an order. It changes the message in place. Other keys are found
// as for any request.
func (t *Target) BindBeside(ctx context.Context, s Session, m *message.Message, res *Resource) error {
	r := t.Facts.Of(m.Op).Reached
	if res == nil || r == nil {
		return errors.New("nothing was made that the request could refer to")
	}
	known := map[string]*jsontree.Value{}
	for _, n := range t.Reach.Of(m.Op) {
		w := r.Ways[n.Path]
		if _, chosen := r.Ways[n.Path]; !chosen {
			if i := slices.IndexFunc(n.Dependencies, res.by.by); i >= 0 {
				w = n.Dependencies[i]
			}
		}
		if !strings.HasPrefix(n.Path, "/") || !res.by.by(w) || !w.Makes() {
			continue
		}
		if v := res.by.value(w); v != nil {
			known[n.Path] = fit(m.Op, n.Path, v)
		}
	}
	if len(known) == 0 {
		return &NoKeyError{res.by.message.Op, m.Op}
	}
	values, err := t.obtain(ctx, s, m.Op, r, 0, known)
	if err != nil {
		return err
	}
	*m = *m.Put(values)
	return nil
}
