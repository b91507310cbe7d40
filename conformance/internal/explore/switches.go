package explore

import (
	"context"
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/schema"
)

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
