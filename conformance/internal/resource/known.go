package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// known returns the ways to a member of a request that signs in, or names a thing by a secret: a
// user by name and password, a card by its number and pin. The operation that made the thing has
// all of them, in its request or in its answer.
func (m *Map) known(op *openapi.Operation, member openapi.Member) []Way {
	if !op.SignsIn() || !member.Required || !strings.HasPrefix(member.Path, "/") {
		return nil
	}
	var out []Way
	for _, from := range m.ops {
		if from.Method != http.MethodPost || from == op.First() || from.Body == nil || len(openapi.Expressions(from.Path)) > 0 {
			continue
		}
		all, secret := map[string]Way{}, false
		for _, p := range op.Body.Shape.Schema.Properties {
			if !p.Required {
				continue
			}
			w, chosen := knownFrom(from, p)
			if w.None() {
				all = nil
				break
			}
			all[p.Name] = w
			secret = secret || chosen
		}
		if w, ok := all[member.Name]; ok && secret {
			out = append(out, w)
		}
	}
	return out
}

// namesExampleUser reports whether a member is one of a request that signs in, and the document has
// an example of each member that it needs: those are often about a user who exists.
func namesExampleUser(c *openapi.Contract, op *openapi.Operation, member openapi.Member) bool {
	named := func(m openapi.Member) bool {
		return m.Required && strings.HasPrefix(m.Path, "/") && m.Schema.Enum == nil && m.Schema.Const == nil
	}
	return op.SignsIn() && named(member) && !chosen(op, member.Path) && !slices.ContainsFunc(op.Members(), func(m openapi.Member) bool {
		return named(m) && len(c.Examples(op, m)) == 0
	})
}

// knownFrom returns the way to a member through an operation that may have made the thing, and
// whether its request has the value. The kind is Unknown if there is none.
func knownFrom(from *openapi.Operation, p *openapi.Property) (w Way, chosen bool) {
	for _, q := range from.Body.Shape.Schema.Properties {
		if q.Required && openapi.Flat(q.Name) == openapi.Flat(p.Name) && q.Schema.Type() == p.Schema.Type() {
			return Way{Kind: Producer, From: from, Request: "/" + jsontree.EscapePointer(q.Name)}, true
		}
	}
	for _, s := range successes(from) {
		for _, pointer := range within(s, p.Name, false, func(q *openapi.Schema) bool { return q.Type() == p.Schema.Type() }) {
			return Way{Kind: Producer, From: from, Pointer: pointer}, false
		}
	}
	return Way{Kind: Unknown}, false
}
