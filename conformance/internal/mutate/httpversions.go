package mutate

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// oldHTTP is the version of HTTP without chunks, without Host and without a connection
// that stays open.
const oldHTTP = "HTTP/1.0"

// oldForms are requests of HTTP/1.0 as its clients send them.
var oldForms = []struct {
	fields []exchange.Field
	drop   []string
}{
	{nil, nil},
	{fieldOf("Connection", "keep-alive"), nil},
	{nil, []string{"Host"}},
	{fieldOf("Connection", "Keep-Alive"), []string{"Host"}},
	{fieldOf("Connection", "close"), []string{"Accept", "User-Agent"}},
}

var httpVersions = plan.Mutator{
	Name: "http-versions",
	Doc:  "Sends requests of HTTP/1.0, and of a later version than HTTP/1.1, because a server may refuse another version (RFC 9110, 15.6.6), but must not fail, and what it accepts is answered as usual.",
	Classes: func(s *plan.Space) []plan.Class {
		old := func(g *generate.Gen, draw int) *message.Message {
			m, form := g.Baseline(), oldForms[draw%len(oldForms)]
			m.Version = oldHTTP
			m.Fields, m.Drop = append(m.Fields, form.fields...), append(m.Drop, form.drop...)
			return m
		}
		out := []plan.Class{
			single(of(plan.FamilyMayRefuse, transport, "http-10", plan.ExpectMayRefuse), len(oldForms), old),
			// A server answers as HTTP/1.1 what has a higher minor version (RFC 9110, 6.2).
			single(of(plan.FamilyMayRefuse, transport, "http-12", plan.ExpectMayRefuse), 1, func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				m.Version = "HTTP/1.2"
				return m
			}),
		}
		if s.Op.HasJSON() && s.Op.Body.Shape.Schema.Type() == "object" {
			if spoils := spoilers(s); len(spoils) > 0 {
				out = append(out, single(of(plan.FamilyInvalid, transport, "http-10", plan.ExpectNothing), len(spoils), func(g *generate.Gen, draw int) *message.Message {
					m := old(g, draw)
					spoils[draw](m)
					return m
				}))
			}
		}
		if !s.Auth.Required() {
			return out
		}
		for _, a := range s.Auth.Attempts() {
			if plainly(a.Name) {
				out = append(out, presenting(s, a, "http-10", plan.ExpectRefusedCredential, 1, old))
			}
		}
		return out
	},
}
