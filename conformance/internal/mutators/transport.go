package mutators

import (
	"strconv"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

const transportPlace = "transport"

// headKind changes the head of a mild request: each field is one case.
type headKind struct {
	kind   string
	fields []exchange.Field
}

func fieldOf(name string, values ...string) []exchange.Field {
	out := make([]exchange.Field, len(values))
	for i, v := range values {
		out[i] = exchange.Field{Name: name, Value: v}
	}
	return out
}

// freshField puts a fresh word where the value has the mark.
func freshField(g *generate.Gen, f exchange.Field) exchange.Field {
	if strings.Contains(f.Value, nonceMark) {
		f.Value = fill(g, f.Value)
	}
	return f
}

// bodyHeads are about the body and sent where there is one.
func bodyHeads(media string) []headKind {
	return []headKind{
		{"charset-utf8", fieldOf("Content-Type", media+"; charset=utf-8", media+";charset=UTF-8", media+`; charset="utf-8"`, media+" ; charset=utf8")},
		{"charset-other", fieldOf("Content-Type", media+"; charset=iso-8859-1", media+"; charset=utf-16", media+"; charset=us-ascii", media+"; charset=nonsense", media+"; charset=")},
		{"content-type-parameter", fieldOf("Content-Type", media+"; version=1", media+"; a=b; c=\"d\"", media+";", media+"; profile=x")},
		{"content-type-case", fieldOf("Content-Type", strings.ToUpper(media), strings.ToUpper(media[:1])+media[1:], "application/Json")},
		{"content-type-other", fieldOf("Content-Type", "text/plain", "application/x-www-form-urlencoded", "text/json", "application/xml", "application/octet-stream", "text/html", "multipart/form-data; boundary=b", "image/png")},
		{"content-type-json-like", fieldOf("Content-Type", "application/vnd.example+json", "application/problem+json", "application/ld+json", "application/jsonl", "application/x-json", "application/merge-patch+json")},
		{"content-type-malformed", fieldOf("Content-Type", "json", "application", "application/", "/json", "*/*", "application/json, text/plain", "application/json application/json", ";", "")},
		{"content-encoding-identity", fieldOf("Content-Encoding", "identity", "")},
		{"content-language", fieldOf("Content-Language", "en", "de-DE")},
	}
}

// anyHeads are sent with every operation.
func anyHeads() []headKind {
	return []headKind{
		{"accept-any", fieldOf("Accept", "*/*", "application/json, */*", "*/*;q=0.1")},
		{"accept-other", fieldOf("Accept", "text/html", "application/json;q=0.9, text/html;q=0.8", "application/*", "application/xml", "text/plain", "image/*", "application/json;q=0", "application/problem+json", "application/vnd.example+json")},
		{"accept-malformed", fieldOf("Accept", "", "json", ",", "*", "application/json;q=x", ";q=1")},
		{"accept-charset", fieldOf("Accept-Charset", "utf-8", "iso-8859-1", "utf-16")},
		{"accept-language", fieldOf("Accept-Language", "de", "tr-TR", "xx;q=0.1", "*", "en_US")},
		{"accept-encoding", fieldOf("Accept-Encoding", "gzip", "gzip, deflate, br", "identity", "*", "br", "identity;q=0")},
		{"connection-header", fieldOf("Connection", "close", "keep-alive", "Close", "keep-alive, x")},
		{"method-override-header", fieldOf("X-HTTP-Method-Override", "GET", "DELETE", "PUT")},
		{"origin-header", append(fieldOf("Origin", "http://elsewhere.example", "null"), fieldOf("Referer", "http://elsewhere.example/")...)},
		{"cookie-header", fieldOf("Cookie", "a=b", "session=x; session=y", "=;;=", "x", "a="+strings.Repeat("x", 1000))},
		{"forwarded-header", append(fieldOf("X-Forwarded-For", "127.0.0.1", "x"), append(fieldOf("X-Forwarded-Proto", "https"), fieldOf("Forwarded", "for=127.0.0.1")...)...)},
		{"precondition-header", append(fieldOf("If-None-Match", "*", `"x"`), append(fieldOf("If-Match", `"x"`), fieldOf("If-Modified-Since", "Mon, 01 Jan 2024 00:00:00 GMT")...)...)},
		{"range-header", fieldOf("Range", "bytes=0-1", "bytes=x")},
		{"prefer-header", append(fieldOf("Prefer", "return=minimal", "respond-async"), fieldOf("Cache-Control", "no-cache", "only-if-cached")...)},
		{"idempotency-header", fieldOf("Idempotency-Key", "§", "")},
		{"tracing-header", append(fieldOf("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"), fieldOf("X-Request-Id", "§", strings.Repeat("y", 300))...)},
		{"empty-header", fieldOf("X-Empty", "")},
		{"odd-header-name", append(fieldOf("X_Under_Score", "x"), append(fieldOf("x-lower-case", "x"), append(fieldOf("X!#$%&'*+.^`|~", "x"), fieldOf("1", "1")...)...)...)},
		{"non-ascii-header", fieldOf("X-Text", "\xE9", "é", "植物", "a\tb")},
		{"pragma-header", append(fieldOf("Upgrade-Insecure-Requests", "1"), append(fieldOf("Pragma", "no-cache"), fieldOf("TE", "trailers")...)...)},
		{"large-header", fieldOf("X-Large", strings.Repeat("x", 4<<10), strings.Repeat("x", 10<<10), strings.Repeat("x", 40<<10))},
	}
}

// headKinds are those that an operation is tried with.
func headKinds(op *contract.Operation) []headKind {
	if op.Body == nil {
		return anyHeads()
	}
	return append(anyHeads(), bodyHeads(op.Body.Media)...)
}

var heads = plan.Mutator{
	Name: "heads",
	Doc:  "Heads that are not mild: other content types, other Accept fields, odd and large fields, fields left out.",
	Classes: func(s *plan.Space) []plan.Class {
		left := []string{"Accept", "User-Agent"}
		if s.Op.Body != nil {
			left = append(left, "Content-Type")
		}
		var out []plan.Class
		for _, k := range headKinds(s.Op) {
			family, claim := familyEdge, plan.ClaimEdge
			if k.kind == "accept-any" {
				family, claim = familyValid, plan.ClaimPlain // JSON is taken, and nothing else asked for
			}
			out = append(out, listed(s.Slug(family, transportPlace, k.kind), claim, k.fields, func(g *generate.Gen, f exchange.Field) *request.Message {
				m := g.Mild()
				m.Fields = append(m.Fields, freshField(g, f))
				return m
			})...)
		}
		for _, name := range left {
			family, claim := familyEdge, plan.ClaimEdge
			if name == "Accept" {
				family, claim = familyValid, plan.ClaimPlain
			}
			out = append(out, listed(s.Slug(family, transportPlace, strings.ToLower(name)+"-absent"), claim, make([]int, 2), func(g *generate.Gen, _ int) *request.Message {
				m := g.Mild()
				m.Drop = append(m.Drop, name)
				return m
			})...)
		}
		out = append(out, listed(s.Slug(familyEdge, transportPlace, "query"), plan.ClaimEdge, []string{"x=1", "debug=true", "a[]=1&a[]=2&%zz"}, func(g *generate.Gen, query string) *request.Message {
			m := g.Mild()
			m.Query = query
			return m
		})...)
		return append(out, listed(s.Slug(familyEdge, transportPlace, "many-header-fields"), plan.ClaimEdge, []int{20, 40, 60, 90}, func(g *generate.Gen, n int) *request.Message {
			m := g.Mild()
			for i := range n {
				m.Fields = append(m.Fields, exchange.Field{Name: "X-Field-" + strconv.Itoa(i), Value: "x"})
			}
			return m
		})...)
	},
}

// Sizes of bodies above what the application alone decides about.
var (
	largeSizes = []int{9 << 10, 17 << 10, 65 << 10, 120 << 10}
	hugeSizes  = []int{200 << 10, 2 << 20}
	hugeMember = []int{200 << 10, 1100 << 10}
)

const (
	framedEach   = 4
	framedLength = 20_000
)

var sizes = plan.Mutator{
	Name: "sizes",
	Doc:  "Large bodies, chunked bodies, and bodies that wait for 100 Continue.",
	Classes: func(s *plan.Space) []plan.Class {
		if s.Op.Body == nil {
			return nil
		}
		padded := func(g *generate.Gen, n int) *request.Message {
			m := g.Mild()
			b := m.Body()
			m.Raw = append(append(make([]byte, 0, len(b)+n), b...), strings.Repeat(" ", n)...)
			return m
		}
		inside := func(g *generate.Gen, n int) *request.Message {
			m := g.Mild()
			m.Style.Open = strings.Repeat("\n", n)
			return m
		}
		extra := func(g *generate.Gen, n int) *request.Message {
			m := g.Mild()
			m.Tree.Set("extra", jsontree.NewRaw(`"`+strings.Repeat("x", n)+`"`))
			return m
		}
		framed := func(kind string, f request.Framing, cases []int) []plan.Class {
			return listed(s.Slug(familyEdge, transportPlace, kind), plan.ClaimEdge, cases, func(g *generate.Gen, pad int) *request.Message {
				m := padded(g, pad)
				m.Framing = f
				return m
			})
		}
		slug := func(kind string) string { return s.Slug(familyEdge, transportPlace, kind) }
		out := listed(slug("large-body"), plan.ClaimEdge, largeSizes, padded)
		out = append(out, listed(slug("large-body-inside"), plan.ClaimEdge, largeSizes, inside)...)
		out = append(out, heavy(listed(slug("huge-body"), plan.ClaimEdge, hugeSizes, padded))...)
		if !s.Op.Body.Shape.Schema.Closed && s.Op.Body.Shape.Schema.Type() == "object" && len(judged(s, []int{1}, extra)[contract.Edge]) > 0 {
			out = append(out, listed(slug("large-body-of-one-member"), plan.ClaimEdge, largeSizes, extra)...)
			out = append(out, heavy(listed(slug("huge-body-of-one-member"), plan.ClaimEdge, hugeMember, extra))...)
		}
		few := make([]int, framedEach)
		few[framedEach-1] = framedLength
		out = append(out, framed("chunked", request.Chunked, few)...)
		return append(out, framed("expect-continue", request.Expect, few)...)
	},
}
