package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// Ways says how each operation was reached, in the order of the document, without
// those that are not tried.
func (t *Target) Ways() []report.Way {
	var out []report.Way
	for _, op := range t.tried() {
		if op.IsAdditional() && (t.Facts.Of(op).Unreached == "" || !t.Facts.Of(op.First()).Accepted) {
			continue // as the first media type
		}
		out = append(out, t.dependency(op))
	}
	return out
}

func (t *Target) dependency(op *openapi.Operation) report.Way {
	facts := t.Facts.Of(op)
	w := report.Way{Operation: op.Name(), Reached: facts.Accepted, Sources: given(op)}
	if off := t.Facts.Of(op.First()).Off; off != nil {
		w.Off = off.String()
	}
	if !facts.Accepted {
		w.Reason, w.Help = cmp.Or(facts.Unreached, facts.Refused, "it was not asked"), facts.Help
	}
	for _, n := range t.Reach.Of(op) {
		s := report.Source{Place: n.Path, Optional: n.Optional}
		if r := facts.Reached; r != nil && !r.Ways[n.Path].None() {
			if chosen, found := r.Ways[n.Path]; found {
				s = source(s, chosen)
			}
		}
		w.Sources = append(w.Sources, s)
	}
	if !facts.Accepted {
		w.Sources = append(w.Sources, wanted(op, w.Sources)...)
	}
	if facts.Reached != nil {
		for _, before := range facts.Reached.Before {
			w.After = append(w.After, before.Name())
		}
	}
	return w
}

// wanted lists the required places that no source is about: one of their values may be
// what an operation that is not reached lacks.
func wanted(op *openapi.Operation, listed []report.Source) []report.Source {
	var out []report.Source
	for _, m := range op.Members() {
		if m.Required && !slices.ContainsFunc(listed, func(s report.Source) bool { return s.Place == m.Path }) {
			out = append(out, report.Source{Place: m.Path})
		}
	}
	return out
}

func source(s report.Source, w resource.Dependency) report.Source {
	s.Kind = w.Kind.String()
	switch {
	case w.Value != nil:
		s.Value = w.Value.String()
	case w.From != nil:
		s.From = w.String()
	}
	return s
}

// given lists the places whose value the user named.
func given(op *openapi.Operation) []report.Source {
	var out []report.Source
	add := func(shape *schema.Shape, section bool) {
		for key, d := range shape.Domains {
			if d.Value == nil {
				continue
			}
			if section {
				key = key[1:]
			}
			out = append(out, report.Source{Place: key, Kind: "given", Value: jsontree.Cut(d.Value.String(), 1000)})
		}
	}
	if op.Params != nil {
		add(op.Params, true)
	}
	if op.Body != nil {
		add(op.Body.Shape, false)
	}
	slices.SortFunc(out, func(a, b report.Source) int { return strings.Compare(a.Place, b.Place) })
	return out
}

// refusal says how a baseline request was answered, and what may help.
func (o *OpFacts) refusal(e *exchange.Exchange) {
	switch {
	case e == nil:
		o.Refused = "it got no answer in time"
		return
	case e.Coming:
		o.Refused, o.Help = StillComing, waitLonger
		return
	case e.Failure != nil:
		o.Refused, o.Help = "it got no answer: "+e.Failure.Error(), "see whether the server is running, or correct --target"
		return
	}
	status := e.Status()
	o.Status, o.Said = status, words(e.Response.Content)
	o.Refused = answeredWith(status, o.Said)
	switch {
	case status == 401 || status == 403:
		o.Help = "give a credential that may call it, with --token or --auth"
	case status/100 == 3:
		o.Refused += ", Location: " + strconv.Quote(jsontree.Cut(e.Response.Get("Location"), maxShown))
		o.Help = "correct --target, or list the redirect in the document"
	case status == 404 || status == 405:
		o.Help = "correct --target, or name a value that exists with --values"
	case status/100 == 5:
		o.Help = SeeLog
	default:
		o.Help = "name the values that the server accepts with --values"
	}
}

// StillComing is why an operation is not reached whose answer did not end in time.
const StillComing = "its answer was still coming when the time was up"

const waitLonger = "allow more with --timeout, or leave it out with --exclude"

// words are what a refusal says for people; empty if it says nothing.
func words(body []byte) string {
	if said := requirement.Said(body); !strings.HasPrefix(said, "{") && !strings.HasPrefix(said, "[") {
		return said
	}
	return ""
}

// answeredWith says how a baseline request was refused, in the words of the target if it has some.
func answeredWith(status int, said string) string {
	out := fmt.Sprintf("its baseline request is answered with %d", status)
	if said != "" {
		out += ", " + strconv.Quote(said)
	}
	return out
}

// NoKeyError says that no answer tells how to name what a case is about.
type NoKeyError struct{ maker, op *openapi.Operation }

func (e *NoKeyError) Error() string {
	return fmt.Sprintf("no answer of %s is known to name what %s is about", e.maker.Name(), e.op.Name())
}

// Resource is what a request made, as its answer names it.
type Resource struct{ by *asked }

// MadeBy returns what an accepted request made.
func MadeBy(m *message.Message, e *exchange.Exchange) *Resource { return &Resource{answered(m, e)} }

// BindTo puts the values into a message, in place, that name a resource. Other resources that
// the message needs are found as for any request.
func (t *Target) BindTo(ctx context.Context, s Session, m *message.Message, res *Resource) error {
	if res == nil {
		return errors.New("nothing was made")
	}
	values, err := t.keys(m.Op, res.by)
	if err != nil {
		return err
	}
	for path, v := range values {
		if m.Bound[path] == nil {
			m.Set(path, v.Clone()) // an expression that any request may fill in
		}
	}
	if r := t.Facts.Of(m.Op).Reached; r != nil {
		for _, at := range r.Repeated {
			if v := res.by.message.At(at); v != nil && r.through(res.by) {
				values[at] = v.Clone()
			}
		}
		all, err := t.obtain(ctx, s, m.Op, r, 0, values)
		var dead *wayError
		switch {
		case err == nil:
			values = all
		case !errors.As(err, &dead) || !r.Ways[dead.path].About:
			return err
		} // else it is gone, and its state with it
	}
	*m = *m.Put(values)
	return nil
}

// Ready sends what must come before a message that makes a resource below another one: an
// invoice is sent before it is paid. Nothing else has done so if a case made the other one
// itself. Beside a resource that the same operation made, it was done for that one.
func (t *Target) Ready(ctx context.Context, s Session, m *message.Message, res *Resource) error {
	r := t.Facts.Of(m.Op).Reached
	if r == nil || res.by.message.Op.First() == m.Op.First() {
		return nil
	}
	return t.before(ctx, s, r, m)
}

// keys returns the values of an operation about the resource that an exchange made. Where the
// paths begin alike, the resources above it are those of the request, and its own key is in the
// answer. What else links or the user tie to the resource is there too.
func (t *Target) keys(op *openapi.Operation, got *asked) (map[string]*jsontree.Value, error) {
	out := t.tied(op, got)
	tied := len(out) > 0
	for _, n := range t.Reach.Of(op) {
		if v := got.message.At(n.Path); v != nil && out[n.Path] == nil && openapi.Scope(n.Path) {
			out[n.Path] = fit(op, n.Path, v.Clone()) // the same tenant, say
		}
	}
	above := openapi.Expressions(sharedPath(got.message.Op.Path, op.Path))
	for i, name := range openapi.Expressions(op.Path) {
		path := openapi.PathPlace(name)
		var v *jsontree.Value
		switch {
		case i < len(above):
			v = got.message.At(openapi.PathPlace(above[i])).Clone()
		case out[path] != nil:
			continue
		case slices.Contains(op.Bind, path):
			v = t.key(op, path, got)
		default:
			v = got.answer.Get(name).Clone() // beside the key, such as the ending of a file's name
		}
		switch {
		case v != nil:
			out[path] = fit(op, path, v)
		case t.elsewhere(op, path, got) && len(out) > 0:
		case !tied:
			return nil, &NoKeyError{got.message.Op, op}
		}
	}
	return out, nil
}

// sharedPath returns how far a path follows another one, whatever their expressions are called.
func sharedPath(path, other string) string {
	list, others := strings.Split(path, "/"), strings.Split(other, "/")
	n := 0
	for n < min(len(list), len(others)) && (list[n] == others[n] || strings.Contains(list[n], "{") && strings.Contains(others[n], "{")) {
		n++
	}
	return strings.Join(list[:n], "/")
}

// tied returns the values that links or the user tie to the resource which an exchange made.
func (t *Target) tied(op *openapi.Operation, got *asked) map[string]*jsontree.Value {
	out := map[string]*jsontree.Value{}
	for _, n := range t.Reach.Of(op) {
		i := slices.IndexFunc(n.Dependencies, func(w resource.Dependency) bool {
			return got.by(w) && w.Makes() && (w.Kind == resource.Link || w.Kind == resource.Named)
		})
		if i < 0 {
			continue
		}
		if v := got.value(n.Dependencies[i]); v != nil {
			out[n.Path] = fit(op, n.Path, v)
		}
	}
	return out
}

// key returns the key that an answer gives to what its request made, or nil. An operation that is
// reached says by which way; a Location and a link name the resource nevertheless (RFC 9110, 15.3.2).
func (t *Target) key(op *openapi.Operation, path string, got *asked) *jsontree.Value {
	if r := t.Facts.Of(op).Reached; r != nil && got.by(r.Ways[path]) && r.Ways[path].Makes() {
		return got.value(r.Ways[path])
	}
	needs := t.Reach.Of(op)
	i := slices.IndexFunc(needs, func(n resource.Need) bool { return n.Path == path })
	if i < 0 {
		return nil
	}
	for _, header := range []bool{true, false} { // a Location is meant to name it
		if !header && t.Facts.Of(op).Accepted {
			return nil
		}
		for _, w := range needs[i].Dependencies {
			if !got.by(w) || !w.Makes() || header != (w.Header != "" || w.Kind == resource.Link) {
				continue
			}
			if v := got.value(w); v != nil {
				return v
			}
		}
	}
	return nil
}

// elsewhere reports whether the last key of a PUT below a resource comes from somewhere else:
// the client chooses it, or it names an article, say.
func (t *Target) elsewhere(op *openapi.Operation, path string, got *asked) bool {
	r := t.Facts.Of(op).Reached
	names := openapi.Expressions(op.Path)
	if r == nil || op.Method != http.MethodPut || path != openapi.PathPlace(names[len(names)-1]) {
		return false
	}
	w, known := r.Ways[path]
	return known && !w.None() && !got.by(w)
}
