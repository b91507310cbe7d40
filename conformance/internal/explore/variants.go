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
	"plantstore/conformance/internal/schema"
)

// exemplified tries the values that the document gives as examples for what a request needs: a
// server may know only the plans or rooms that these name, and no schema lists them. It
// reports whether they are accepted, and keeps only those that are needed.
func (p *preflight) exemplified(ctx context.Context) bool {
	all := p.examples()
	if len(all) == 0 || !refusesRepeats(p.refused.Exchange.Response.Status) {
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
	return len(all) > 0 && refusesRepeats(p.refused.Exchange.Response.Status) && p.takesGiven(ctx, all)
}

// takesGiven reports whether baseline requests with some values are accepted, and keeps only those
// that are needed.
func (p *preflight) takesGiven(ctx context.Context, all map[string]*jsontree.Value) bool {
	first := p.refused
	takes := func(values map[string]*jsontree.Value) bool {
		p.t.Facts.given.Set(p.op, values)
		p.facts.Reached, p.refused = nil, nil
		return ctx.Err() == nil && p.accepted(ctx)
	}
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
