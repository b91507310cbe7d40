package mutate

import (
	"fmt"
	"net/url"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// largestField leaves room for the rest of a head that servers take.
const largestField = 8000

// longFields begin the values of fields that may be long, and go on with the filling.
var longFields = []struct{ name, before, filling string }{
	{"X-Sized", "", "x"},
	{"User-Agent", "conformance ", "x"},
	{"Referer", "http://a.example/", "x"},
	{"Cookie", "a=", "x"},
	{"Accept-Language", "en", ", de"},
	{"X-Forwarded-For", "192.0.2.1", ", 192.0.2.2"},
	{"X-Request-Id", "", "x"},
}

// ofSize is one header field whose value, or whose line, has so many bytes.
type ofSize struct{ field, bytes int }

func (o ofSize) made() exchange.Field {
	f := longFields[o.field]
	n := o.bytes - len(f.before)
	return exchange.Field{Name: f.name, Value: f.before + strings.Repeat(f.filling, n/len(f.filling)) + strings.Repeat("x", n%len(f.filling))}
}

var headSizes = plan.Mutator{
	Name: "head-sizes",
	Doc:  "Sends header fields, queries and wrong credentials whose sizes are around those of common buffers, because a server may refuse them, but must not fail, nor let them in.",
	Classes: func(s *plan.Space) []plan.Class {
		var values, lines []ofSize
		for i, n := range aroundBuffers(largestField) {
			values = append(values, ofSize{i % len(longFields), n})
			lines = append(lines, ofSize{0, n - len(longFields[0].name+": ")})
		}
		for i := range longFields {
			values = append(values, ofSize{i, 300}, ofSize{i, 4000})
		}
		field := func(g *generate.Gen, o ofSize) *message.Message {
			m := g.Baseline()
			m.Fields = append(m.Fields, o.made())
			return m
		}
		may := func(kind string) plan.Class { return of(plan.FamilyMayRefuse, transport, kind, plan.ExpectNothing) }
		out := append(listed(may("field-of-size"), values, field), listed(may("line-of-size"), lines, field)...)
		out = append(out, listed(may("query-split-escape"), splitQueries(), func(g *generate.Gen, query string) *message.Message {
			m := g.Baseline()
			m.Query = query
			return m
		})...)
		return append(out, longCredentials(s)...)
	},
}

// splitQueries have an escaped character across the end of each buffer.
func splitQueries() []string {
	var out []string
	for i, n := range buffers[:len(buffers)-1] {
		for _, before := range []int{1 + i%2, 4 + i%3} {
			const name = "zsize="
			out = append(out, name+strings.Repeat("q", n-before-len(name))+url.QueryEscape("植")+"q")
		}
	}
	return out
}

// longCredentials are wrong credentials of every size.
func longCredentials(s *plan.Space) []plan.Class {
	if !s.Auth.Required() {
		return nil
	}
	var out []plan.Class
	for _, a := range s.Auth.Attempts() {
		if a.Name != "wrong-invalid" || len(a.Presented) != 1 {
			continue
		}
		c, _ := s.Auth.Wrong(a, sampleToken)
		sizes := aroundBuffers(largestField)
		class := single(of(plan.FamilyCredential, plan.Place{Name: a.Slug()}, "of-size", expectedOf(c)), len(sizes), func(g *generate.Gen, draw int) *message.Message {
			m := g.Baseline()
			long := a
			long.Presented = []message.Presented{longer(a.Presented[0], sizes[draw])}
			m.Credentials = long.All()
			return m
		})
		class.Phase = plan.Credential
		out = append(out, class)
	}
	return out
}

// longer is a wrong credential with letters behind the word invalid, n bytes in all.
func longer(p message.Presented, n int) message.Presented {
	value, missing := p.Value, n-len("invalid")
	p.Value = func(token string) string { return value(token) + strings.Repeat("x", missing) }
	p.Show += fmt.Sprintf("$(printf 'x%%.0s' {1..%d})", missing)
	return p
}
