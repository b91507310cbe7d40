package mutate

import (
	"net/url"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// asking are heads that ask for another answer, or another method: what such a
// request gets is not judged.
var asking = map[string]bool{"accept-other": true, "accept-malformed": true, "method-override-header": true, "precondition-header": true,
	"range-header": true, "prefer-header": true}

var headerFieldsInvalidBody = plan.Mutator{
	Name: "header-fields-invalid-body",
	Doc:  "Sends a body that must be refused with unusual header fields, because code can check the body for one content type only, or write errors as Accept says.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return nil
		}
		spoils := spoilers(s)
		if len(spoils) == 0 {
			return nil
		}
		var out []plan.Class
		add := func(kind string, cases int, change func(g *generate.Gen, m *message.Message, draw int)) {
			out = append(out, single(of(plan.FamilyInvalid, transport, kind, plan.ExpectNothing), cases, func(g *generate.Gen, draw int) *message.Message {
				m := spoiled(g, spoils, draw)
				change(g, m, draw)
				return m
			}))
		}
		for _, k := range headKinds(s.Op) {
			if apart[k.kind] || asking[k.kind] {
				continue
			}
			add(k.kind, len(spoils), func(g *generate.Gen, m *message.Message, draw int) {
				if f := k.fields[draw%len(k.fields)]; f.Value != "" || k.kind != "idempotency-header" {
					m.Fields = append(m.Fields, freshField(g, f))
				}
			})
		}
		for _, name := range []string{"Accept", "Content-Type", "User-Agent"} {
			add(openapi.Slug(name)+"-absent", len(spoils), func(_ *generate.Gen, m *message.Message, _ int) { m.Drop = append(m.Drop, name) })
		}
		add("chunked", len(spoils), func(_ *generate.Gen, m *message.Message, _ int) { m.Framing = message.Chunked })
		add("expect-continue", len(spoils), func(_ *generate.Gen, m *message.Message, _ int) { m.Framing = message.Expect })
		add("large-body", len(spoils), func(_ *generate.Gen, m *message.Message, _ int) {
			m.Raw = append(append([]byte{}, m.Body()...), strings.Repeat(" ", largeSizes[1])...)
		})
		return append(out, queried(s)...)
	},
}

// queried puts what the body lacks into the query.
func queried(s *plan.Space) []plan.Class {
	build := func(g *generate.Gen, p *place) *message.Message {
		m := p.in(g)
		up := p.up.get(m)
		v := up.Get(p.name)
		if v == nil || v.Kind != jsontree.String && v.Kind != jsontree.Number {
			return nil
		}
		m.Query = url.Values{p.name: {v.Text}}.Encode()
		up.Remove(p.name)
		return m
	}
	return listed(of(plan.FamilyInvalid, transport, "in-query", plan.ExpectNothing), judged(s, transport, inJSON(s, required(s)), build)[openapi.Invalid], build)
}
