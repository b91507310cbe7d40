package explore

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// kept keeps the values of resources that the run changes and did not make, as they were read
// before. Many may use it at the same time.
type kept struct {
	mu        sync.Mutex
	resources map[string]*keptResource
	order     []*keptResource
	// of says how what an operation changes is read and written; nil if the document does
	// not allow it.
	of map[*openapi.Operation]*restorable
}

// restorable is how a resource is read, replaced or changed, deleted and made again.
type restorable struct {
	path                         string
	read, replace, change, takes *openapi.Operation
}

// keptResource is what a resource was before the run changed it.
type keptResource struct {
	*restorable
	values map[string]*jsontree.Value // of the path
	once   sync.Once
	was    *jsontree.Value
	absent bool // there was none
}

// maxKept bounds the resources that are kept.
const maxKept = 64

// newKept finds the operations that change what another one reads, and what can be written.
func newKept(c *openapi.Contract) *kept {
	out := &kept{resources: map[string]*keptResource{}, of: map[*openapi.Operation]*restorable{}}
	if c == nil {
		return out
	}
	at := map[string]*restorable{}
	for _, op := range c.Operations {
		path := strings.TrimSuffix(op.Path, "/")
		k := at[path]
		if k == nil {
			k = &restorable{path: path}
			at[path] = k
		}
		switch op.Method {
		case http.MethodGet:
			if !givesList(op) {
				k.read = op
			}
		case http.MethodPut:
			k.replace = asJSON(op)
		case http.MethodPatch:
			k.change = asJSON(op)
		case http.MethodDelete:
			k.takes = op
		}
	}
	for _, op := range c.Operations {
		path := strings.TrimSuffix(op.Path, "/")
		k := at[path]
		if above, literal := parent(path); k.read == nil && literal && op.Method == http.MethodPost && at[above] != nil {
			k = at[above] // an action
		}
		if !reads(op) && k.read != nil && (k.replace != nil || k.change != nil || k.takes != nil) {
			out.of[op] = k
		}
	}
	return out
}

// asJSON returns the form of an operation whose body is an object in JSON, or nil.
func asJSON(op *openapi.Operation) *openapi.Operation {
	for _, row := range op.Rows() {
		if row.Body != nil && strings.Contains(row.Body.Media, "json") && (row.Body.Shape.Schema.Types == nil || row.Body.Shape.Schema.Allows("object")) {
			return row
		}
	}
	return nil
}

// keep reads what a message may change, before it is sent for the first time.
func (t *Target) keep(ctx context.Context, m *message.Message) {
	k := t.kept.of[m.Op.First()]
	if k == nil || !t.strange(m) {
		return
	}
	x := t.kept.resourceOf(k, m)
	if x == nil {
		return
	}
	x.once.Do(func() {
		s := t.Client.Session()
		defer s.Close()
		x.was, x.absent = t.look(ctx, s, x)
	})
}

// strange reports whether a message may be about a resource that the run did not make: it is the
// only one, or an example, a list or the user names it.
func (t *Target) strange(m *message.Message) bool {
	r := t.Facts.Of(m.Op).Reached
	if takes := t.kept.of[m.Op.First()].takes; takes != nil && t.made.has(takes, m) {
		return false
	}
	for _, n := range inPath(t.Reach.Of(m.Op)) {
		if r == nil {
			return false
		}
		if w := r.Ways[n.Path]; w.Makes() || w.Kind == resource.Any || w.Kind == resource.Unknown {
			return false
		}
		if v := m.Bound[n.Path]; v == nil || !jsontree.Equal(v, m.At(n.Path)) {
			return false // a value that the case is about
		}
	}
	return true
}

// resourceOf returns what a message is about, or nil if too many are known.
func (k *kept) resourceOf(of *restorable, m *message.Message) *keptResource {
	x := &keptResource{restorable: of, values: map[string]*jsontree.Value{}}
	key := of.path
	for _, name := range openapi.Expressions(of.path) {
		v := m.At(openapi.PathPlace(name))
		if v == nil {
			return nil
		}
		x.values[openapi.PathPlace(name)] = v.Clone()
		key += "\x00" + v.String()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if old := k.resources[key]; old != nil {
		return old
	}
	if len(k.order) == maxKept {
		return nil
	}
	k.resources[key], k.order = x, append(k.order, x)
	return x
}

// look reads a resource. Absent says that there is none.
func (t *Target) look(ctx context.Context, s Session, x *keptResource) (is *jsontree.Value, absent bool) {
	e := t.now(ctx, s, x.message(t, x.read), t.Timeout)
	switch {
	case e == nil || e.Failure != nil:
		return nil, false
	case !Accepted(x.read, e):
		return nil, e.Status() == http.StatusNotFound || e.Status() == http.StatusGone
	}
	doc, err := jsontree.Parse(e.Response.Content)
	if err != nil || doc.Root.Kind != jsontree.Object {
		return nil, false
	}
	return doc.Root.Clone(), false
}

// message is a baseline request of an operation about the resource.
func (x *keptResource) message(t *Target, op *openapi.Operation) *message.Message {
	m := t.Baseline(t.Fresh(op))
	for path, v := range x.values {
		m.Fix(path, v.Clone())
	}
	return m
}

// restoring are the requests that give the resource of a message the value that was read before it.
func (k *kept) restoring(t *Target, m *message.Message) []*message.Message {
	of := k.of[m.Op.First()]
	if of == nil || !t.strange(m) {
		return nil
	}
	x := k.resourceOf(of, m)
	if x == nil {
		return nil
	}
	if list := x.restores(t); len(list) > 0 {
		return list[0]
	}
	return nil
}

// restores are the ways to give a resource its value back, the best first.
func (x *keptResource) restores(t *Target) [][]*message.Message {
	var out [][]*message.Message
	if x.absent && x.takes != nil {
		return append(out, []*message.Message{x.message(t, x.takes)})
	}
	if x.was == nil {
		return nil
	}
	for _, op := range []*openapi.Operation{x.replace, x.change} {
		if op == nil {
			continue
		}
		for _, known := range []bool{false, true} {
			m := x.message(t, op)
			m.Tree = writable(op, x.was, known)
			out = append(out, []*message.Message{m})
		}
	}
	return out
}

// writable leaves out of a value what a request must not have, and with known what its schema
// does not name.
func writable(op *openapi.Operation, was *jsontree.Value, known bool) *jsontree.Value {
	out, s := was.Clone(), op.Body.Shape.Schema
	for _, m := range was.Members {
		switch p := s.Property(m.Name); {
		case p == nil && (known || s.Closed), p != nil && p.Schema.ReadOnly:
			out.Remove(m.Name)
		}
	}
	return out
}

// putBack gives what the run changed, and did not make, the value that it had before. It
// returns how many resources had another one, how many have the old one again, and why the others
// have not.
func (t *Target) putBack(ctx context.Context) (changed, restored int, left []string) {
	s := t.Client.Session()
	defer s.Close()
	t.kept.mu.Lock()
	resources := slices.Clone(t.kept.order)
	t.kept.mu.Unlock()
	for _, x := range resources {
		if x.was == nil && !x.absent || x.asBefore(t.look(ctx, s, x)) {
			continue
		}
		changed++
		back, how := false, x.read.Name()+" shows another value than before the run"
		for _, list := range x.restores(t) {
			for _, m := range list {
				values := map[string]*jsontree.Value{}
				for path, v := range x.values {
					values[path] = v
				}
				if r := t.Facts.Of(m.Op).Reached; r != nil {
					_ = t.state(ctx, s, m.Op, r, values)
					m = m.Put(values)
				}
				if e := t.now(ctx, s, m, t.Timeout); e != nil && e.Failure == nil && !Accepted(m.Op, e) {
					how += fmt.Sprintf(": %s was answered with %d", m.Op.Name(), e.Status())
				}
			}
			if back = x.asBefore(t.look(ctx, s, x)); back {
				break
			}
		}
		if back {
			restored++
		} else {
			left = append(left, how+" (1)")
		}
	}
	return changed, restored, left
}

// asBefore reports whether a resource is as it was before the run, as far as a request can tell what
// it is: a server may note when it was changed.
func (x *keptResource) asBefore(is *jsontree.Value, absent bool) bool {
	if x.absent || is == nil {
		return x.absent == absent && x.was == is
	}
	for _, op := range []*openapi.Operation{x.replace, x.change} {
		if op != nil && len(op.Body.Shape.Schema.Properties) > 0 {
			return jsontree.Equal(writable(op, x.was, true), writable(op, is, true))
		}
	}
	return jsontree.Equal(x.was, is)
}

// deleting are the requests that delete what a message made.
func (t *Target) deleting(m *message.Message) []*message.Message {
	t.made.mu.Lock()
	defer t.made.mu.Unlock()
	for _, x := range slices.Backward(t.made.resources) {
		if x.dependency.From != nil && x.dependency.From.First() == m.Op.First() && !x.gone && !t.Unasked[x.deletes] {
			return []*message.Message{x.put(t.Baseline(t.Fresh(x.deletes)), x.values())}
		}
	}
	return nil
}

// opposites are the requests that may undo one: a write of the value that was read before; requests
// of the same operation, one after which others worked and some with other values of switches; the
// deletion of the resource that it made, or the making of one that it deleted; and requests without a
// body at neighbouring paths.
func (t *Target) opposites(m *message.Message) [][]*message.Message {
	var out [][]*message.Message
	add := func(list ...*message.Message) {
		if len(list) > 0 {
			out = append(out, list)
		}
	}
	add(t.kept.restoring(t, m)...)
	if calm := t.changes.calmly(m.Op); calm != nil {
		add(calm)
	}
	for _, other := range switched(m, 2*maxVariants) {
		add(other)
	}
	add(t.deleting(m)...)
	above, _ := parent(m.Op.Path)
	for _, op := range t.Contract.Operations {
		if op == m.Op.First() || reads(op) || t.Unasked[op] {
			continue
		}
		same := op.Path == m.Op.Path && (op.Method == http.MethodDelete) != (m.Op.Method == http.MethodDelete)
		beside, literal := parent(op.Path)
		if same || literal && beside == above && above != "" && op.Method == m.Op.Method && !t.Reach.Gives(op) {
			add(about(t.Baseline(t.Fresh(op)), m))
		}
	}
	return out
}

// about puts the values of the path of another message into one.
func about(m, other *message.Message) *message.Message {
	for _, name := range openapi.Expressions(m.Op.Path) {
		if v := other.At(openapi.PathPlace(name)); v != nil {
			m.Set(openapi.PathPlace(name), v.Clone())
		}
	}
	return m
}

// parent returns a path without its last segment, and whether that is a literal one.
func parent(path string) (above string, literal bool) {
	path = strings.TrimSuffix(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", false
	}
	return path[:i], !strings.Contains(path[i:], "{")
}

// maxLate is the lateness of operations whose names suggest a disruption.
const maxLate = 2

// lateness orders operations by the harm that they may do: last come those that change
// something, give nothing that others need, and are about no thing of the run.
func (t *Target) lateness(op *openapi.Operation) int {
	op = op.First()
	switch {
	case reads(op) || t.Contract == nil:
		return 0
	case t.Wary[op]:
		return maxLate
	case t.Reach.OfOwn(op) || t.Reach.Gives(op) || t.fills(op):
		return 0
	}
	return 1
}

// fills reports whether an operation adds to a collection.
func (t *Target) fills(op *openapi.Operation) bool {
	path := strings.TrimSuffix(op.Path, "/")
	return op.Method == http.MethodPost && slices.ContainsFunc(t.Contract.Operations, func(o *openapi.Operation) bool {
		return strings.HasPrefix(o.Path, path+"/{") || o.Method == http.MethodGet && strings.TrimSuffix(o.Path, "/") == path && givesList(o)
	})
}

// turnOn undoes what a request did that was accepted, if it turned others off.
func (t *Target) turnOn(ctx context.Context, s Session, m *message.Message, e *exchange.Exchange) {
	off := t.Facts.Of(m.Op.First()).Off
	if off == nil || !Accepted(m.Op, e) {
		return
	}
	for _, undo := range off.undo {
		t.now(ctx, s, undo, t.Timeout)
	}
}
