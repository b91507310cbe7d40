package explore

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// furtherItems is how many items of a list are tried beside the first.
const furtherItems = 3

// furtherWays returns ways to a value that are tried after the usual ones: the ways by which other
// reading operations got a value for a parameter of the same name and type, and other items of the
// first list, since an operation may take only some of them.
func (p *preflight) furtherWays(n resource.Need, ways []resource.Dependency) (out []resource.Dependency) {
	named := slices.ContainsFunc(n.Dependencies, func(w resource.Dependency) bool { return w.Kind == resource.Named }) // the user knows the only one
	if named || p.op.Method != http.MethodGet || !strings.HasPrefix(n.Path, "path/") || p.t.Contract == nil {
		return nil
	}
	for _, op := range p.t.Contract.Operations {
		r := p.t.Facts.Of(op).Reached
		if r == nil || op == p.op || op.Method != http.MethodGet || len(out) == furtherItems || typeAt(op, n.Path) != typeAt(p.op, n.Path) {
			continue
		}
		same := func(w resource.Dependency) bool {
			return w.String() == r.Ways[n.Path].String() && w.Item == r.Ways[n.Path].Item
		}
		if w, reached := r.Ways[n.Path]; reached && w.From != nil && w.From != p.op && !w.About && !slices.ContainsFunc(ways, same) && !slices.ContainsFunc(out, same) {
			out = append(out, w)
		}
	}
	all := append(slices.Clone(ways), out...)
	if at := slices.IndexFunc(all, func(w resource.Dependency) bool { return w.Kind == resource.List && w.Item == 0 }); at >= 0 {
		for i := range furtherItems {
			other := all[at]
			other.Item = i + 1
			out = append(out, other)
		}
	}
	return out
}

// borrowed reports whether a way leads through a POST at the path of the thing itself, with a key that
// the run did not make up: the thing may belong to somebody else.
func (t *Target) borrowed(w resource.Dependency) bool {
	if w.From == nil || w.From.Method != http.MethodPost || !strings.HasPrefix(w.Request, "path/") || !resource.Creates(w.From) {
		return false
	}
	r := t.Facts.Of(w.From).Reached
	return r == nil || r.Ways[w.Request].Kind != resource.Any
}

// typeAt returns the type of a parameter, or an empty text.
func typeAt(op *openapi.Operation, path string) string {
	for _, m := range resource.Places(op) {
		if m.Path == path {
			return m.Schema.Type()
		}
	}
	return ""
}

// keepItems keeps the items of lists that the newest request was accepted with.
func (p *preflight) keepItems(r *Reached) {
	if r.Own || p.message == nil {
		return
	}
	for path, w := range r.Ways {
		if v := p.message.At(path); w.Kind == resource.List && v != nil {
			if r.Items == nil {
				r.Items = map[string]*jsontree.Value{}
			}
			r.Items[path] = v.Clone()
		}
	}
}

// each splits an exchange that made several things into one for each thing, if the way names them.
func (a *asked) each(w resource.Dependency) []*asked {
	if !strings.HasPrefix(w.Pointer, "/0/") || a.answer == nil || a.answer.Kind != jsontree.Array {
		return []*asked{a}
	}
	var out []*asked
	for i := range a.answer.Items {
		one := *a
		one.answer = &jsontree.Value{Kind: jsontree.Array, Items: a.answer.Items[i:]}
		out = append(out, &one)
	}
	return out
}

// lists reports whether a list that was asked has an item with the given value, and the run made
// none of them to be asked for.
func (a *asked) lists(w resource.Dependency, v *jsontree.Value) bool {
	before, rest, found := strings.Cut(w.Pointer, "/-")
	if w.Kind != resource.List || !found || a.made != nil || a.answer == nil {
		return false
	}
	list := a.answer.At(before)
	return list != nil && slices.ContainsFunc(list.Items, func(item *jsontree.Value) bool {
		one := item.At(rest)
		return one != nil && one.Text == v.Text
	})
}

// identity is a value of a request that may name what it makes. If refused is set, it counts only if
// its repeat is refused: most lists hold what things have in common.
type identity struct {
	path    string
	value   *jsontree.Value
	refused bool
}

// identities returns those of a message: numbers and texts of its body, lists of texts, and the key
// that a POST at the path of a thing chooses.
func identities(op *openapi.Operation, m *message.Message) (out []identity) {
	if resource.Creates(op) && op.Method == http.MethodPost && len(op.Bind) > 0 {
		last := op.Bind[len(op.Bind)-1]
		if v := m.At(last); v != nil && strings.HasPrefix(last, "path/") {
			out = append(out, identity{last, v, true})
		}
	}
	if op.Body == nil || m.Tree == nil || m.Tree.Kind != jsontree.Object {
		return out
	}
	for _, x := range m.Tree.Members {
		p := op.Body.Shape.Schema.Property(x.Name)
		if op.Method == http.MethodPost && p != nil && p.Schema.Items != nil && p.Schema.Items.Enum == nil && len(x.Value.Items) > 0 &&
			!slices.ContainsFunc(x.Value.Items, func(v *jsontree.Value) bool { return v.Kind != jsontree.String }) {
			out = append(out, identity{"/" + jsontree.EscapePointer(x.Name), x.Value, true})
		}
	}
	for _, x := range message.Values(op, m.Tree) {
		out = append(out, identity{"/" + jsontree.EscapePointer(x.Name), x.Value, false})
	}
	return out
}

// help says which values to name, so that the operation can be reached.
func (p *preflight) help() string {
	flag := func(path string) string { return fmt.Sprintf(" --value '%s:%s=VALUE'", p.op.First().Slug, path) }
	switch {
	case p.facts.Status >= http.StatusInternalServerError, p.refused != nil && p.refused.Exchange.Failure != nil:
		return SeeLog
	case Unauthorised(p.facts.Status) && !p.signsIn():
		return p.credential()
	case p.signsIn():
		text := "name a user that exists:"
		for _, m := range p.op.Members() {
			if m.Required {
				text += flag(m.Path)
			}
		}
		return text
	case len(p.op.Bind) == 0 && p.op.Body != nil && p.refused != nil && len(p.needed()) > 0:
		return accepts(p.needed(), flag) + "; it was sent " + jsontree.Cut(string(p.refused.Message.Body()), maxShown)
	case len(p.spoken()) > 0:
		return accepts(p.spoken(), flag)
	case !p.choosesAnything():
		return NothingToName
	case len(p.op.Bind) == 0:
		return "name a value that exists with --values"
	}
	text := "name a value that exists:"
	if p.spares() {
		text = "name a value that exists and may be changed:"
	}
	text += flag(p.op.Bind[len(p.op.Bind)-1])
	for _, m := range p.op.Members() {
		if p.facts.RefusedWith == http.StatusNotFound && mayName(m) && !slices.Contains(p.op.Bind, m.Path) {
			text += " or" + flag(m.Path)
		}
	}
	return text
}

// SeeLog is the help if the fault is in the server, whatever a request names.
const SeeLog = "look into the log of the server"

// spares reports whether a list names what the operation would change: it may belong to somebody.
func (p *preflight) spares() bool {
	return slices.ContainsFunc(p.t.Reach.Of(p.op), func(n resource.Need) bool {
		return slices.ContainsFunc(n.Dependencies, func(w resource.Dependency) bool { return w.Kind == resource.List && !mayUse(p.op, w) })
	})
}

// NothingToName is the help if no value of a request can make it accepted.
const NothingToName = "set up the target so that it is accepted, or leave it out with --exclude"

// choosesAnything reports whether a request has a value that could be another one.
func (p *preflight) choosesAnything() bool {
	return len(p.op.Bind) > 0 || len(p.op.Members()) > 0 || p.op.Body != nil
}

// maxHelp is how many flags a help names, and maxShown how many bytes of a body it shows.
const (
	maxHelp  = 3
	maxShown = 160
)

// mayName reports whether a member is a required text of the body that may name something.
func mayName(m openapi.Member) bool {
	s := m.Schema
	return m.Required && strings.HasPrefix(m.Path, "/") && s.Type() == "string" && s.Enum == nil && s.Const == nil && !schema.Ordinary(s)
}

// exemplified tries the values that the document gives as examples for what a request needs: a
// server may know only the plans or rooms that these name, and no schema lists them. It
// reports whether they are accepted, and keeps only those that are needed.
func (p *preflight) exemplified(ctx context.Context) bool {
	all := p.examples()
	if len(all) == 0 || !refusesRepeats(p.refused.Exchange.Status()) {
		return false
	}
	return p.takesGiven(ctx, all)
}

// emptied tries without items the lists that a request needs: what an item needs besides its
// required members no schema may say.
func (p *preflight) emptied(ctx context.Context) bool {
	all := map[string]*jsontree.Value{}
	for _, m := range p.needed() {
		none := jsontree.NewArray()
		if v := p.refused.Message.At(m.Path); strings.HasPrefix(m.Path, "/") && v != nil && len(v.Items) > 0 && p.op.Body.Shape.Matches(m.Schema, none) {
			all[m.Path] = none
		}
	}
	return len(all) > 0 && refusesRepeats(p.refused.Exchange.Status()) && p.takesGiven(ctx, all)
}

// takesGiven reports whether baseline requests with some values are accepted, and keeps only those
// that are needed.
func (p *preflight) takesGiven(ctx context.Context, all map[string]*jsontree.Value) bool {
	first := p.refused
	takes := func(values map[string]*jsontree.Value) bool { return p.acceptedWith(ctx, values) }
	for _, some := range attempts(all) {
		if !takes(some) {
			continue
		}
		// A value that may be sent only once keeps others from being left out, until it is
		// left out itself.
		for range 2 {
			for _, path := range slices.Sorted(maps.Keys(some)) {
				fewer := maps.Clone(some)
				if delete(fewer, path); len(some) > 1 && takes(fewer) {
					some = fewer
				}
			}
		}
		if takes(some) {
			return true
		}
	}
	return p.takesNone(first)
}

// acceptedWith is accepted for baseline requests with some values.
func (p *preflight) acceptedWith(ctx context.Context, values map[string]*jsontree.Value) bool {
	p.t.Facts.given.Set(p.op, values)
	p.facts.Reached, p.refused = nil, nil
	return ctx.Err() == nil && p.accepted(ctx)
}

// takesNone gives the values up, goes back to the first refusal, and returns false.
func (p *preflight) takesNone(first *Opening) bool {
	p.t.Facts.given.Set(p.op, nil)
	p.facts.Reached, p.refused, p.facts.Accepted = nil, first, false
	p.last, p.message = first.Exchange, first.Message
	return false
}

// needed lists the members of the body and of the query that a request needs, without those that
// name what another operation made. A body that is one text is such a member too.
func (p *preflight) needed() []openapi.Member {
	list := p.op.Members()
	if b := p.op.Body; b != nil && b.Shape.Schema.Type() == "string" {
		list = append(list, openapi.Member{Property: &schema.Property{Schema: b.Shape.Schema, Required: true}})
	}
	return slices.DeleteFunc(list, func(m openapi.Member) bool {
		inside := m.Path == "" || strings.HasPrefix(m.Path, "/") || strings.HasPrefix(m.Path, "query/")
		return !m.Required || !inside || slices.ContainsFunc(p.op.Bind, func(path string) bool {
			return path == m.Path || m.Path != "" && strings.HasPrefix(path, m.Path+"/")
		})
	})
}

// examples returns the first example of each text, number or list that a request needs.
func (p *preflight) examples() map[string]*jsontree.Value {
	out := map[string]*jsontree.Value{}
	for _, m := range p.needed() {
		s := m.Schema
		plain := slices.Contains([]string{"string", "integer", "number", "array"}, s.Type())
		if !plain || s.Enum != nil || s.Const != nil || schema.Ordinary(s) {
			continue
		}
		if values := p.t.Contract.Examples(p.op, m); len(values) > 0 && len(out) < maxExemplified {
			out[m.Path] = values[0]
		}
	}
	return out
}

// maxExemplified is how many members may have values of examples.
const maxExemplified = 8

// attempts lists what is tried: all values together, then each alone.
func attempts(all map[string]*jsontree.Value) []map[string]*jsontree.Value {
	out := []map[string]*jsontree.Value{all}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if len(all) > 1 {
			out = append(out, map[string]*jsontree.Value{path: all[path]})
		}
	}
	return out
}

// maxVariants is how many other values of switches are tried of one operation.
const maxVariants = 6

// varied tries the other values of switches: a baseline request may be the one that turns
// nothing off.
func (p *preflight) varied(ctx context.Context) bool {
	for _, m := range switched(p.message, maxVariants) {
		if p.t.Facts.Of(p.op.First()).Off != nil || ctx.Err() != nil {
			break
		}
		if e := p.t.Send(ctx, p.s, m, "preflight", "preflight"); Accepted(p.op, e) && !p.t.controlled(ctx, p.s, m) {
			return false
		}
	}
	return true
}

// switched returns copies of a message in which one boolean, choice, number or text has another value
// that the document states. It changes members, parameters, and booleans at any depth of the body.
func switched(m *message.Message, maximum int) []*message.Message {
	var out []*message.Message
	if m.Raw == nil && m.Tree != nil {
		m.Tree.Walk(func(pointer string, v *jsontree.Value) {
			if v.Kind == jsontree.Bool && strings.Count(pointer, "/") > 1 && len(out) < maximum {
				other := m.Clone()
				other.Set(pointer, jsontree.NewBool(!v.Bool))
				out = append(out, other)
			}
		})
	}
	for _, member := range m.Op.Members() {
		s := member.Schema
		if s.ReadOnly || s.Const != nil || m.Raw != nil || m.Bound[member.Path] != nil {
			continue
		}
		values := s.Enum
		switch {
		case len(values) > 0:
		case s.Type() == "boolean":
			values = []*jsontree.Value{jsontree.NewBool(false), jsontree.NewBool(true)}
		case m.Op.Method != http.MethodPut && m.Op.Method != http.MethodPatch: // the value may name the thing that is made
		case s.Default != nil:
			values = []*jsontree.Value{s.Default}
		default:
			values = minimum(s)
		}
		for _, v := range values {
			other := m.Clone()
			if was := m.At(member.Path); v.Kind == jsontree.Null || was != nil && jsontree.Equal(was, v) || !other.Set(member.Path, v.Clone()) || len(out) == maximum {
				continue
			}
			out = append(out, other)
		}
	}
	return out
}

// minimum returns the minimum of a schema, or 0 if it has none: a limit of 0, such as 0 requests a
// minute, allows nothing. It returns nil if that value is not valid.
func minimum(s *schema.Schema) []*jsontree.Value {
	switch {
	case s.Type() != "integer" && s.Type() != "number" || s.Above != "" || strings.HasPrefix(s.Maximum, "-") || strings.HasPrefix(s.Below, "-"):
		return nil
	case s.Minimum != "":
		return []*jsontree.Value{jsontree.NewNumber(s.Minimum)}
	}
	return []*jsontree.Value{jsontree.NewInt(0)}
}
