package mutate

import (
	"fmt"
	"net/url"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var fieldOrder = plan.Mutator{
	Name: "field-order",
	Doc:  "Sends valid requests, invalid bodies and wrong credentials with the header fields in other orders, because their order has no meaning (RFC 9110, 5.3), and code that reads them one by one can check less in another one.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, order := range message.Orders(s.Op) {
			out = append(out, single(of(plan.FamilyValid, transport, order.String()), 1, changed(func(m *message.Message, _ int) {
				m.Order = order
			})))
			out = append(out, spoiltInOrder(s, order)...)
			out = append(out, refusedInOrder(s, order)...)
		}
		return out
	},
}

// spoiltInOrder makes requests with invalid bodies and this order of header fields.
func spoiltInOrder(s *plan.Space, order message.Order) []plan.Class {
	if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
		return nil
	}
	corruptions := spoilers(s)
	if len(corruptions) == 0 {
		return nil
	}
	return []plan.Class{single(unstated(of(plan.FamilyInvalid, transport, order.String())), len(corruptions), changed(func(m *message.Message, draw int) {
		corruptions[draw](m)
		m.Order = order
	}))}
}

// refusedInOrder makes wrong credentials in a head in that order.
func refusedInOrder(s *plan.Space, order message.Order) []plan.Class {
	if !s.Auth.Required() {
		return nil
	}
	var out []plan.Class
	for _, a := range s.Auth.Attempts() {
		moves := order != message.CredentialFirst && order != message.CredentialLast || len(a.Presented)+len(a.Beside) > 0
		if plainly(a.Name) && moves {
			out = append(out, presenting(s, a, order.String(), message.RefuseCredential, 1, changed(func(m *message.Message, _ int) {
				m.Order = order
			})))
		}
	}
	return out
}

var fieldNameCase = plan.Mutator{
	Name: "field-name-case",
	Doc:  "Writes the names of the header fields in lower or upper case, or other white space after their colons, as many clients and proxies do, because neither has a meaning (RFC 9110, 5.1; RFC 9112, 5.1).",
	Classes: func(s *plan.Space) []plan.Class {
		out := listed(of(plan.FamilyValid, wholeBody, "field-case"), []func(string) string{strings.ToLower, strings.ToUpper},
			func(g *plan.Gen, names func(string) string) *message.Message {
				m := g.Baseline()
				m.Names = names
				return m
			})
		for _, gap := range []message.Gap{message.NoBlank, message.TwoBlanks} {
			out = append(out, single(of(plan.FamilyValid, wholeBody, gap.String()), 1, changed(func(m *message.Message, _ int) {
				m.Gap = gap
			})))
		}
		return out
	},
}

var connectionFields = plan.Mutator{
	Name: "connection-fields",
	Doc:  "Sends an expectation that nobody knows and offers to change the protocol, because a server may refuse or ignore both (RFC 9110, 10.1.1 and 7.8), but must not fail.",
	Classes: func(*plan.Space) []plan.Class {
		with := func(kind string, list ...[]exchange.Field) []plan.Class {
			return listed(of(plan.FamilyMayRefuse, transport, kind), list, changed(func(m *message.Message, fields []exchange.Field) {
				m.Fields = append(m.Fields, fields...)
			}))
		}
		offer := func(protocol string) []exchange.Field {
			return []exchange.Field{{Name: "Connection", Value: "Upgrade"}, {Name: "Upgrade", Value: protocol}}
		}
		// Without HTTP2-Settings no server changes to h2c (RFC 7540, 3.2.1).
		return append(with("expect-other", fieldOf("Expect", "200-ok"), fieldOf("Expect", "x=1")),
			with("upgrade", offer("h2c"), offer("example/1"))...)
	},
}

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
		old := func(g *plan.Gen, draw int) *message.Message {
			m, form := g.Baseline(), oldForms[draw%len(oldForms)]
			m.Version = oldHTTP
			m.Fields, m.Drop = append(m.Fields, form.fields...), append(m.Drop, form.drop...)
			return m
		}
		out := []plan.Class{
			single(of(plan.FamilyMayRefuse, transport, "http-10"), len(oldForms), old),
			// A server answers as HTTP/1.1 what has a higher minor version (RFC 9110, 6.2).
			single(of(plan.FamilyMayRefuse, transport, "http-12"), 1, changed(func(m *message.Message, _ int) {
				m.Version = "HTTP/1.2"
			})),
		}
		if s.Op.HasJSON() && s.Op.Body.Shape.Schema.Type() == "object" {
			if corruptions := spoilers(s); len(corruptions) > 0 {
				out = append(out, single(unstated(of(plan.FamilyInvalid, transport, "http-10")), len(corruptions), func(g *plan.Gen, draw int) *message.Message {
					m := old(g, draw)
					corruptions[draw](m)
					return m
				}))
			}
		}
		if !s.Auth.Required() {
			return out
		}
		for _, a := range s.Auth.Attempts() {
			if plainly(a.Name) {
				out = append(out, presenting(s, a, "http-10", message.RefuseCredential, 1, old))
			}
		}
		return out
	},
}

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
		field := changed(func(m *message.Message, o ofSize) {
			m.Fields = append(m.Fields, o.made())
		})
		may := func(kind string) plan.Class { return unstated(of(plan.FamilyMayRefuse, transport, kind)) }
		out := append(listed(may("field-of-size"), values, field), listed(may("line-of-size"), lines, field)...)
		out = append(out, listed(may("query-split-escape"), splitQueries(), changed(func(m *message.Message, query string) {
			m.Query = query
		}))...)
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
		out = append(out, single(credentialed(a, "of-size", expectedOf(c)), len(sizes), changed(func(m *message.Message, draw int) {
			long := a
			long.Presented = []message.Presented{longer(a.Presented[0], sizes[draw])}
			m.Credentials = long.All()
		})))
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

// codedLengths are lengths above the usual thresholds of compression: a hundred bytes, one
// kilobyte, two.
var codedLengths = []struct {
	n      int
	coding string
}{{200, "gzip"}, {1300, "gzip, deflate, br"}, {3000, "gzip"}}

var codedAnswers = plan.Mutator{
	Name: "coded-answers",
	Doc:  "Asks for a compressed answer with a long text in the body, because servers compress only long answers, and may then announce the wrong length or no coding (RFC 9110, 8.4 and 8.6).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, p := range tried(s) {
			if !p.free() {
				continue
			}
			out = append(out, mayRefuse(s, p.where(), "coded", []int{0, 1, 2}, func(g *plan.Gen, draw int) *message.Message {
				of := codedLengths[draw]
				m := p.with(g, jsontree.NewString(padded(g, of.n, "e")))
				m.Fields = append(m.Fields, exchange.Field{Name: "Accept-Encoding", Value: of.coding})
				return m
			})...)
			break
		}
		return out
	},
}
