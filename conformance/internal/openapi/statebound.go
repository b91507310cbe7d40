package openapi

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
)

// stateBound reads what the descriptions of an operation and of its answer 409 say of states. It
// returns nil if they say nothing of them.
func (l *loader) stateBound(op *Operation, pointer string) *hints.StateBound {
	conflict := op.Lists(http.StatusConflict)
	if conflict == nil || !strings.Contains(op.Path, "{") || op.Method == http.MethodGet || op.Method == http.MethodHead {
		return nil
	}
	at := conflict.Pointer + "/description"
	return hints.StatesOf(l.texts(pointer), []hints.Text{{Place: at, Said: text(l.root, at)}}, l.otherNouns(op))
}

// otherNouns returns the nouns of the paths, without those in front of an expression in the path
// of the operation: "only an active team" says nothing of a member.
func (l *loader) otherNouns(op *Operation) map[string]bool {
	out := map[string]bool{}
	for _, m := range l.root.Get("paths").Members {
		for part := range strings.SplitSeq(strings.ToLower(m.Name), "/") {
			if part != "" && !strings.Contains(part, "{") {
				out[part], out[singular(part)] = true, true
			}
		}
	}
	parts := strings.Split(strings.ToLower(op.Path), "/")
	for i, part := range parts[1:] {
		if own := parts[i]; strings.Contains(part, "{") {
			delete(out, own)
			delete(out, singular(own))
		}
	}
	return out
}

// BoundIn reports whether the document says that the operation is refused in some state of a
// resource of this schema.
func (o *Operation) BoundIn(s *Schema) bool {
	return slices.ContainsFunc(s.Properties, func(p *Property) bool { return o.Bound.Names(StateValues(p.Schema)) })
}

const mostStateValues = 12

// StateValues returns the texts that a member may have, if there are few of them.
func StateValues(s *Schema) []string {
	var out []string
	for _, v := range s.Enum {
		if v.Kind == jsontree.String {
			out = append(out, v.Text)
		}
	}
	if len(out) < 2 || len(out) > mostStateValues {
		return nil
	}
	return out
}
