package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/internal/limits"
)

// asked is an exchange that may give values.
type asked struct {
	message *message.Message
	answer  *jsontree.Value // nil if it is not JSON
	e       *exchange.Exchange
	// made is the request that made the resource which a list is asked for; nil for none.
	made *message.Message
}

// ask sends the request that a way names. Where a list is asked, the operation that
// fills it is asked first, if there is one.
func (t *Target) ask(ctx context.Context, s Session, w resource.Dependency, depth int) (*asked, error) {
	var made *message.Message
	if w.Kind == resource.List || w.Kind == resource.Named && strings.Contains(w.Pointer, "/-") {
		if from := t.maker(w.From); from != nil {
			if filled, err := t.request(ctx, s, from, depth); err == nil {
				made = filled.message
			}
		}
	}
	got, err := t.request(ctx, s, w.From, depth)
	if err == nil {
		got.made = made
	}
	return got, err
}

// maker returns the operation that adds to a list, if it is known how to ask it.
func (t *Target) maker(list *openapi.Operation) *openapi.Operation {
	for _, op := range t.Contract.Operations {
		if op.Method == "POST" && strings.TrimSuffix(op.Path, "/") == strings.TrimSuffix(list.Path, "/") && t.Facts.Of(op).Accepted {
			return op
		}
	}
	return nil
}

// request sends a baseline request of an operation about resources of its own, and others with
// small numbers if it was refused: a rule that no schema states may allow only some of the values,
// such as no more people than a room holds. A PUT is sent with other keys until it creates.
func (t *Target) request(ctx context.Context, s Session, op *openapi.Operation, depth int) (got *asked, err error) {
	id := t.Facts.Identity(0)
	for range limits.SetUpTries {
		if got, err = t.newKey(ctx, s, op, id, depth); err == nil {
			break
		}
		if !refuses(err, op, http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity) || t.over() {
			break
		}
		id.Small = new(plan.Operations)
		id.Small.Set(op, true)
	}
	return got, err
}

// newKey is requestOnce, repeated with other keys until the operation creates something. It is an
// error if every key was in use, unless the operation has never answered 201.
func (t *Target) newKey(ctx context.Context, s Session, op *openapi.Operation, id plan.Identity, depth int) (got *asked, err error) {
	for range 1 + limits.KeyTries {
		got, err = t.requestOnce(ctx, s, op, id, depth)
		if err != nil || !t.choosesKey(op) {
			return got, err
		}
		if got.e.Status() == http.StatusCreated {
			t.creates.Store(op, true)
			return got, nil
		}
	}
	if _, before := t.creates.Load(op); before {
		return nil, fmt.Errorf("%s, which it needs, has no key left that is new", op.Name())
	}
	return got, nil
}

// choosesKey reports whether an operation creates a resource under a new key each time.
func (t *Target) choosesKey(op *openapi.Operation) bool {
	r := t.Facts.Of(op).Reached
	return resource.Creates(op) && r != nil && r.Ways[op.Bind[len(op.Bind)-1]].Kind == resource.Any
}

func (t *Target) requestOnce(ctx context.Context, s Session, op *openapi.Operation, id plan.Identity, depth int) (*asked, error) {
	m := t.Baseline(t.FreshAs(op, id))
	if len(op.Bind) > 0 && len(m.Bound) > 0 {
		r := t.Facts.Of(op).Reached
		if r == nil {
			return nil, fmt.Errorf("%s is not reached itself", op.Name())
		}
		values, err := t.obtain(ctx, s, op, r, depth, nil)
		if err != nil {
			return nil, err
		}
		m = m.Put(values)
		if err := t.before(ctx, s, r, m); err != nil {
			return nil, err
		}
	}
	return t.setUp(ctx, s, m)
}

// before sends what has to come before a message, about the resources that it names.
func (t *Target) before(ctx context.Context, s Session, r *Reached, m *message.Message) error {
	for _, op := range r.Before {
		for _, values := range t.eachBefore(op, r, m) {
			all, err := t.withOthers(ctx, s, op, values)
			if err != nil {
				return err
			}
			if err := t.prepare(ctx, s, op, all); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare sends a request that has to come before another one, and again with other values if it is
// refused: the day of an entry may have to be one of its plan. A conflict is not tried again: it is
// about the state of a resource.
func (t *Target) prepare(ctx context.Context, s Session, op *openapi.Operation, named map[string]*jsontree.Value) (err error) {
	for range limits.PrepareTries {
		_, err = t.setUp(ctx, s, t.Baseline(t.Fresh(op)).Put(named))
		if !refuses(err, op, http.StatusBadRequest, http.StatusUnprocessableEntity) {
			break
		}
	}
	return err
}

// setUp sends a request of the set-up and reads the answer. The error says that it is
// not accepted.
func (t *Target) setUp(ctx context.Context, s Session, m *message.Message) (*asked, error) {
	name := m.Op.Name()
	if t.Unasked[m.Op.First()] {
		return nil, fmt.Errorf("%s, which it needs, is not sent unasked (--allow-disruptive)", name)
	}
	e := t.Send(ctx, s, m, "set-up", "set-up")
	switch {
	case e == nil:
		return nil, fmt.Errorf("%s, which it needs, got no answer in time", name)
	case e.Failure != nil:
		return nil, fmt.Errorf("%s, which it needs, got no answer: %s", name, e.Failure.Error())
	case !Accepted(m.Op, e):
		t.RefusedValid(m.Op, e.Status())
		return nil, &refusal{m.Op, e.Status()}
	}
	noted(ctx, SetUp{m, e})
	return answered(m, e), nil
}

// refuses reports whether an operation refused a request of the set-up with one of some statuses.
func refuses(err error, op *openapi.Operation, statuses ...int) bool {
	var by *refusal
	return errors.As(err, &by) && by.of == op && slices.Contains(statuses, by.status)
}

// refusal says that a request of the set-up was not accepted.
type refusal struct {
	of     *openapi.Operation
	status int
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s, which it needs, was answered with %d", r.of.Name(), r.status)
}

// answered reads an exchange for the values that it gives.
func answered(m *message.Message, e *exchange.Exchange) *asked {
	out := &asked{message: m, e: e}
	if doc, err := jsontree.Parse(e.Response.Content); err == nil {
		out.answer = doc.Root
	}
	return out
}

// by reports whether a way is through the operation that was asked, whatever its body was.
func (a *asked) by(w resource.Dependency) bool {
	return w.From != nil && w.From.First() == a.message.Op.First()
}

// value returns the value that a way names, or nil.
func (a *asked) value(w resource.Dependency) *jsontree.Value {
	switch {
	case w.Request != "":
		return a.message.At(w.Request).Clone()
	case w.Header != "":
		return fromHeader(a.e.Response.Values(w.Header), w.Template)
	}
	v := a.at(a.answer, w.Pointer, w.Item)
	if v == nil || v.Kind != jsontree.String && v.Kind != jsontree.Number || v.Text == "" {
		return nil
	}
	if w.Template != "" {
		return fromName(v.Text, w.Template)
	}
	return v.Clone()
}

// at follows a pointer in which "-" stands for the item of a list that was made, or
// for the one at an index.
func (a *asked) at(v *jsontree.Value, pointer string, index int) *jsontree.Value {
	before, rest, found := strings.Cut(pointer, "/-")
	v = v.At(before)
	if !found || v == nil {
		return v
	}
	if index >= len(v.Items) {
		return nil
	}
	item := v.Items[index]
	for _, one := range v.Items {
		if a.made != nil && resembles(one, a.made.Tree) {
			item = one
			break
		}
	}
	return a.at(item, rest, 0)
}

// resembles reports whether an item of a list has a text of the request that made
// it.
func resembles(item, made *jsontree.Value) bool {
	if made == nil || made.Kind != jsontree.Object {
		return false
	}
	for _, m := range made.Members {
		v := item.Get(m.Name)
		if v != nil && v.Kind == jsontree.String && m.Value.Kind == jsontree.String && v.Text == m.Value.Text && len(v.Text) > 4 {
			return true
		}
	}
	return false
}

// fromHeader reads the last expression of a path template out of a Location, or takes
// the field as it is.
func fromHeader(fields []string, template string) *jsontree.Value {
	if len(fields) != 1 || fields[0] == "" {
		return nil
	}
	if template == "" {
		return jsontree.NewString(fields[0])
	}
	u, err := url.Parse(fields[0])
	if err != nil {
		return nil
	}
	open, end := strings.LastIndexByte(template, '{'), strings.LastIndexByte(template, '}')
	if open < 0 || end < open {
		return nil
	}
	text := strings.TrimSuffix(strings.TrimSuffix(u.EscapedPath(), "/"), template[end+1:])
	before := template[strings.LastIndexByte(template[:open], '/')+1 : open]
	text, found := strings.CutPrefix(text[strings.LastIndexByte(text, '/')+1:], before)
	plain, err := url.PathUnescape(text)
	if !found || err != nil || plain == "" {
		return nil
	}
	return jsontree.NewString(plain)
}

// fromName returns the key in the name of a resource, such as s1 in shelves/s1, or nil if the text
// is no such name (Google AIP-122).
func fromName(text, template string) *jsontree.Value {
	open := strings.LastIndex(template, "/{")
	key := fromHeader([]string{text}, template)
	if key == nil || open <= 0 || !strings.HasSuffix("/"+text, template[strings.LastIndexByte(template[:open], '/'):open+1]+key.Text) {
		return nil
	}
	return key
}

// SetUp is a request that came before others because they need it, with its answer.
type SetUp struct {
	Message  *message.Message
	Exchange *exchange.Exchange
}

// SetUps are the requests of the set-up of one case: whoever repeats the case needs them too.
type SetUps struct {
	mu   sync.Mutex
	list []SetUp
}

type setUpsKey struct{}

// Noting returns a context whose requests of the set-up are noted. So are those that made a resource
// which several cases share.
func Noting(ctx context.Context) (context.Context, *SetUps) {
	s := &SetUps{}
	return context.WithValue(ctx, setUpsKey{}, s), s
}

// Take returns what was noted since the last call.
func (s *SetUps) Take() []SetUp {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.list
	s.list = nil
	return out
}

// noted adds requests to those of the context, if it notes them.
func noted(ctx context.Context, list ...SetUp) {
	if s, is := ctx.Value(setUpsKey{}).(*SetUps); is {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, one := range list {
			if !slices.ContainsFunc(s.list, func(o SetUp) bool { return o.Exchange == one.Exchange }) {
				s.list = append(s.list, one) // several requests may share it
			}
		}
	}
}

// madeFor returns the requests that made the values which the requests of an operation share.
func (k *shared) madeFor(op *openapi.Operation) []SetUp {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.by[op])
}

// madeBy remembers the requests that made the shared values of an operation.
func (k *shared) madeBy(op *openapi.Operation, list []SetUp) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.by[op] = list
}
