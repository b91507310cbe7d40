package mutate

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// queryName begins the names of parameters that the document does not have.
const queryName = "zq"

var queries = plan.Mutator{
	Name: "queries",
	Doc:  "Sends long and odd queries of unknown names, and of members of the body, with a valid body, because a server may refuse or ignore them, but must not fail while it splits or decodes them, nor take them for the body.",
	Classes: func(s *plan.Space) []plan.Class {
		if slices.ContainsFunc(s.Op.Parameters, func(p *openapi.Parameter) bool { return p.In == "query" && strings.HasPrefix(p.Name, queryName) }) {
			return nil
		}
		var out []plan.Class
		for _, q := range oddQueries() {
			out = append(out, listed(of(plan.FamilyMayRefuse, transport, q.kind, plan.ExpectNothing), q.list, func(g *generate.Gen, query string) *message.Message {
				m := g.Baseline()
				m.Query = query
				return m
			})...)
		}
		return append(out, membersInQuery(s)...)
	},
}

// membersInQuery name members of the body, with other values than it has: code that binds a
// request as a whole takes one for the other.
func membersInQuery(s *plan.Space) []plan.Class {
	var names []string
	if s.Op.HasJSON() && s.Op.Body.Shape.Schema.Type() == "object" {
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			if !p.Schema.ReadOnly && !s.Op.Carries("query", p.Name) && len(names) < mostInQuery {
				names = append(names, p.Name)
			}
		}
	}
	return listed(of(plan.FamilyMayRefuse, transport, "query-of-member", plan.ExpectNothing), names, func(g *generate.Gen, name string) *message.Message {
		m := g.Baseline()
		m.Query = url.Values{name: {g.Word()}}.Encode()
		return m
	})
}

const mostInQuery = 6

type queryKind struct {
	kind string
	list []string
}

func oddQueries() []queryKind {
	var long, many []string
	for _, n := range []int{100, 256, 512, 1000, 1024, 2048, 4000, 8000} {
		long = append(long, queryName+"="+strings.Repeat("q", n))
	}
	for _, n := range []int{10, 100, 256, 400} {
		var pairs []string
		for i := range n {
			pairs = append(pairs, queryName+strconv.Itoa(i)+"=1")
		}
		many = append(many, strings.Join(pairs, "&"))
	}
	many = append(many, strings.TrimSuffix(strings.Repeat(queryName+"=1&", 300), "&"))
	return []queryKind{
		{"query-empty-parts", []string{"&", "&&", "=", "==", queryName, queryName + "=", "=" + queryName, "?", "?" + queryName + "=1", queryName + "=1&&" + queryName + "=2", "&" + queryName + "=1&"}},
		{"query-escapes", zqs("%20", "+", "%2B", "%26", "%3D", "%23", "%25", "%2525", "%00", "%0D%0A", "%7F", "%e9%A9%ac", "%F0%9F%8C%B5")},
		{"query-bad-escapes", append(zqs("%", "%2", "%zz", "%u0041", "%%", "%-1", "%+1"), "%", "%zz=1", "%=%", queryName+"%=1")},
		{"query-not-utf8", append(zqs("%FF", "%C0%AF", "%E0%A4", "%ED%A0%80", "%80", "%F5%80%80%80"), "%FF=1")},
		{"query-raw", zqs("é", "植", "\xff", "\"'<>", "{}|\\^`", "/?/?", "a:b@c;d,e!$()*~")},
		{"query-repeated", []string{queryName + "=1&" + queryName + "=2", queryName + "=1&" + queryName + "=1&" + queryName + "=", queryName + "=1;" + queryName + "=2"}},
		{"query-structured", []string{queryName + "[]=1&" + queryName + "[]=2", queryName + "[a][b]=1", queryName + "[=1", queryName + "]=1", queryName + "[0]=1&" + queryName + "[99999999]=1", "__proto__[zq]=1", "constructor.prototype=1", queryName + strings.Repeat("[a]", 20) + "=1", queryName + ".a=1"}},
		{"query-long", long},
		{"query-many", many},
	}
}

// zqs gives each value the name.
func zqs(values ...string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = queryName + "=" + v
	}
	return out
}
