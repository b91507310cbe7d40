package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// asTogether is how many fields one request has at most: servers limit their number.
const asTogether = 40

// negotiated are fields of clients that have cases of their own with right values.
var negotiated = []string{"Accept-Language", "Accept-Charset", "Accept-Encoding", "Traceparent", "Idempotency-Key", "X-Request-Id"}

// notTogether are fields that a server may refuse before it reads any other.
var notTogether = []string{"Connection", "Keep-Alive", "Te", "Http2-Settings", "Proxy-Authorization", "Proxy-Connection", "Cookie2"}

var shapedFields = plan.Mutator{
	Name: "shaped-fields",
	Doc:  "Sends a value of each common shape, such as a word, a lone separator or a parameter without a number, in all known fields at once, because code that splits or converts a field fails at a shape that it does not expect.",
	Classes: func(s *plan.Space) []plan.Class {
		type part struct {
			value  string
			fields []exchange.Field
		}
		var list []part
		for _, value := range shapes {
			for fields := range slices.Chunk(shaped(s, value), asTogether) {
				list = append(list, part{value, fields})
			}
		}
		return listed(of(plan.FamilyMayRefuse, transport, "all-fields", plan.ExpectNothing), list, func(g *generate.Gen, p part) *message.Message {
			m := g.Baseline()
			m.Fields = append(m.Fields, p.fields...)
			return m
		})
	},
}

// shaped gives the same value to every field that asks for nothing and says nothing about
// the body.
func shaped(s *plan.Space, value string) []exchange.Field {
	var out []exchange.Field
	add := func(name string) {
		f := exchange.Field{Name: name, Value: value}
		known := slices.ContainsFunc(out, func(o exchange.Field) bool { return o.Name == name })
		if !known && !slices.Contains(notTogether, name) && !usual(s.Op, f) && !s.Op.Carries("header", strings.ToLower(name)) {
			out = append(out, f)
		}
	}
	for _, name := range negotiated {
		add(name)
	}
	for _, group := range fieldGroups() {
		if group.asks || group.kind == "content" || group.kind == "credentials" || group.kind == "cookies" && s.Op.Carries("cookie", "") {
			continue
		}
		for _, f := range group.fields {
			add(f.name)
		}
	}
	return out
}
