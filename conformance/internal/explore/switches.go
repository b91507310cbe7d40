package explore

import (
	"context"
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// mostVariants is how many other values of switches are tried of one operation.
const mostVariants = 6

// varied tries the other values of switches: a baseline request may be the one that turns
// nothing off.
func (p *preflight) varied(ctx context.Context) bool {
	for _, m := range switched(p.message, mostVariants) {
		if p.t.Facts.Of(p.op.First()).Off != nil || ctx.Err() != nil {
			break
		}
		if e := p.t.Send(ctx, p.s, m, "preflight", "preflight"); Accepted(p.op, e) && !p.t.controlled(ctx, p.s, m) {
			return false
		}
	}
	return true
}

// switched returns forms of a message in which one boolean, choice, number or text is another one
// that the document states: of a member or a parameter, or, of booleans, of what the body holds
// deeper.
func switched(m *message.Message, most int) []*message.Message {
	var out []*message.Message
	if m.Raw == nil && m.Tree != nil {
		m.Tree.Walk(func(pointer string, v *jsontree.Value) {
			if v.Kind == jsontree.Bool && strings.Count(pointer, "/") > 1 && len(out) < most {
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
		case m.Op.Method != http.MethodPut && m.Op.Method != http.MethodPatch: // what is made may be named by it
		case s.Default != nil:
			values = []*jsontree.Value{s.Default}
		default:
			values = least(s)
		}
		for _, v := range values {
			other := m.Clone()
			if was := m.At(member.Path); v.Kind == jsontree.Null || was != nil && jsontree.Equal(was, v) || !other.Set(member.Path, v.Clone()) || len(out) == most {
				continue
			}
			out = append(out, other)
		}
	}
	return out
}

// least returns the smallest number that a schema states, or 0 where it states none: nothing is
// allowed then, such as no request a minute. It is nil if that is no valid value.
func least(s *openapi.Schema) []*jsontree.Value {
	switch {
	case s.Type() != "integer" && s.Type() != "number" || s.Above != "" || strings.HasPrefix(s.Maximum, "-") || strings.HasPrefix(s.Below, "-"):
		return nil
	case s.Minimum != "":
		return []*jsontree.Value{jsontree.NewNumber(s.Minimum)}
	}
	return []*jsontree.Value{jsontree.NewInt(0)}
}
