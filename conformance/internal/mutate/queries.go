package mutate

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
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
			out = append(out, listed(unstated(of(plan.FamilyMayRefuse, transport, q.kind)), q.list, changed(func(m *message.Message, query string) {
				m.Query = query
			}))...)
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
			if !p.Schema.ReadOnly && !s.Op.Carries("query", p.Name) && len(names) < maxInQuery {
				names = append(names, p.Name)
			}
		}
	}
	return listed(unstated(of(plan.FamilyMayRefuse, transport, "query-of-member")), names, func(g *plan.Gen, name string) *message.Message {
		m := g.Baseline()
		m.Query = url.Values{name: {g.Word()}}.Encode()
		return m
	})
}

const maxInQuery = 6

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

// pathText makes another text of the value of a path parameter.
type pathText func(right string) string

// segmentLengths are beyond what a column, a file name or a router holds.
var segmentLengths = []int{300, 1000}

// digitCounts are of numbers beyond a phone or article number, and beyond int64.
var digitCounts = []int{13, 20, 19, 40}

var pathTexts = plan.Mutator{
	Name: "path-texts",
	Doc:  "Sends path parameters with a NUL, of hundreds of characters and of many digits, and other parameters with numbers of hundreds of digits, because they reach a database, a file name or a parser of numbers before anything checks them.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			path := p.section && p.up.path == "path"
			if !p.section || !path && !p.number() {
				return nil
			}
			with := func(kind string, list []pathText) []plan.Class {
				build := func(g *plan.Gen, make pathText) *message.Message {
					m := p.in(g)
					right := p.get(m)
					switch right.Kind {
					case jsontree.String:
						p.set(m, jsontree.NewString(make(right.Text)))
					case jsontree.Number:
						p.set(m, numberOrText(make(right.Text)))
					default:
						return nil
					}
					return m
				}
				return ahead(slices.Concat(sorted(s, p.where(), kind, list, build), invalid(s, p.where(), kind, list, build)))
			}
			if !path {
				return with("hundreds-of-digits", digitsOf(segmentLengths[:1]))
			}
			out := slices.Concat(with("nul-behind", []pathText{behind("\x00")}), with("long-segment", lengthened(segmentLengths)))
			if p.number() || p.patterned() {
				digits := with("many-digits", digitsOf(digitCounts))
				for i := range digits {
					digits[i].First = 2
				}
				out = append(out, digits...)
			}
			return out
		})
	},
}

func numberOrText(text string) *jsontree.Value {
	if jsontree.ValidNumber(text) {
		return jsontree.NewNumber(text)
	}
	return jsontree.NewString(text)
}

// lengthened repeats the last letter or digit.
func lengthened(lengths []int) []pathText {
	var out []pathText
	for _, n := range lengths {
		out = append(out, func(right string) string { return right + strings.Repeat(lastLetter(right), max(0, n-len(right))) })
	}
	return out
}

func digitsOf(counts []int) []pathText {
	var out []pathText
	for _, n := range counts {
		out = append(out, func(string) string { return strings.Repeat("1234567890", n/10+1)[:n] })
	}
	return out
}

var repeatedParameters = plan.Mutator{
	Name: "repeated-parameters",
	Doc:  "Sends a query parameter twice, with the same value and with another one, because many frameworks then give the code a list where it expects a text.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.section || p.up.path != "query" || p.schema.Type() == "array" || p.schema.Type() == "object" {
				return nil
			}
			var out []plan.Class
			for _, kind := range []string{"twice", "twice-alike"} {
				out = append(out, ahead(mayRefuse(s, p.where(), kind, []int{0}, func(g *plan.Gen, _ int) *message.Message {
					m := p.in(g)
					v := p.get(m)
					if kind == "twice" {
						v = g.BaselineValue(p.schema)
					}
					if v == nil || v.Kind == jsontree.Object || v.Kind == jsontree.Array {
						return nil
					}
					m.Query = url.QueryEscape(p.name) + "=" + url.QueryEscape(plainText(v))
					return m
				}))...)
			}
			return out
		})
	},
}

var brokenJSON = plan.Mutator{
	Name: "broken-json",
	Doc:  "Sends text that is not JSON where a parameter or a part of a form is JSON, because a handler that drops the error of its parser takes it for nothing.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.holdsJSON(s) {
				return nil
			}
			texts := []string{"{", "x", `{"a":}`, "{'a':1}", "[1,]", "{}}", "nul"}
			return invalid(s, p.where(), "not-json", texts, func(g *plan.Gen, text string) *message.Message {
				return p.with(g, &jsontree.Value{Kind: jsontree.String, Text: text, Raw: text})
			})
		})
	},
}

// holdsJSON reports whether the place is a parameter or a part of a form that is
// written as JSON.
func (p *place) holdsJSON(s *plan.Space) bool {
	if p.up == nil || p.up.up != nil {
		return false
	}
	return s.Op.JSONAt(strings.TrimPrefix(p.up.at, "/") + "/" + jsontree.EscapePointer(p.name))
}
