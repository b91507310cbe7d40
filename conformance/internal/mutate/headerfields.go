package mutate

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

var headerFields = plan.Mutator{
	Name: "header-fields",
	Doc:  "Sends a valid body with unusual header fields, such as other content types and large fields, because a server may refuse them, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		left := []string{"Accept", "User-Agent"}
		if s.Op.HasJSON() {
			left = append(left, "Content-Type")
		}
		var out []plan.Class
		for _, k := range headKinds(s.Op) {
			class := of(plan.FamilyMayRefuse, transport, k.kind)
			switch {
			case k.kind == "accept-any" && answersJSON(s.Op):
				class = of(plan.FamilyValid, transport, k.kind) // JSON is taken, and nothing else asked for
			case k.kind == "accept-any" || k.kind == "accept-one":
				class = unstated(class)
			}
			out = append(out, listed(class, k.fields, func(g *plan.Gen, f exchange.Field) *message.Message {
				m := g.Baseline()
				if k.kind == "accept-charset" {
					m = wideIfValid(s, g, m) // ASCII is the same in most of them
				}
				m.Fields = append(m.Fields, inParts(m, freshField(g, f)))
				return m
			})...)
		}
		for _, name := range left {
			family := plan.FamilyMayRefuse
			if name == "Accept" {
				family = plan.FamilyValid
			}
			out = append(out, listed(of(family, transport, strings.ToLower(name)+"-absent"), make([]int, 2), changed(func(m *message.Message, _ int) {
				m.Drop = append(m.Drop, name)
			}))...)
		}
		out = append(out, listed(unstated(of(plan.FamilyMayRefuse, transport, "query")), []string{"x=1", "debug=true", "a[]=1&a[]=2&%zz"}, changed(func(m *message.Message, query string) {
			m.Query = query
		}))...)
		return append(out, listed(of(plan.FamilyMayRefuse, transport, "many-header-fields"), []int{20, 40, 60, 90}, changed(func(m *message.Message, n int) {
			for i := range n {
				m.Fields = append(m.Fields, exchange.Field{Name: "X-Field-" + strconv.Itoa(i), Value: "x"})
			}
		}))...)
	},
}

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
		corruptions := spoilers(s)
		if len(corruptions) == 0 {
			return nil
		}
		var out []plan.Class
		add := func(kind string, cases int, change func(g *plan.Gen, m *message.Message, draw int)) {
			out = append(out, single(unstated(of(plan.FamilyInvalid, transport, kind)), cases, func(g *plan.Gen, draw int) *message.Message {
				m := corrupted(g, corruptions, draw)
				change(g, m, draw)
				return m
			}))
		}
		for _, k := range headKinds(s.Op) {
			if apart[k.kind] || asking[k.kind] {
				continue
			}
			add(k.kind, len(corruptions), func(g *plan.Gen, m *message.Message, draw int) {
				if f := k.fields[draw%len(k.fields)]; f.Value != "" || k.kind != "idempotency-header" {
					m.Fields = append(m.Fields, freshField(g, f))
				}
			})
		}
		for _, name := range []string{"Accept", "Content-Type", "User-Agent"} {
			add(openapi.Slug(name)+"-absent", len(corruptions), func(_ *plan.Gen, m *message.Message, _ int) { m.Drop = append(m.Drop, name) })
		}
		add("chunked", len(corruptions), func(_ *plan.Gen, m *message.Message, _ int) { m.Framing = message.Chunked })
		add("expect-continue", len(corruptions), func(_ *plan.Gen, m *message.Message, _ int) { m.Framing = message.Expect })
		add("large-body", len(corruptions), func(_ *plan.Gen, m *message.Message, _ int) {
			m.Raw = append(append([]byte{}, m.Body()...), strings.Repeat(" ", largeSizes[1])...)
		})
		return append(out, queried(s)...)
	},
}

// queried puts what the body lacks into the query.
func queried(s *plan.Space) []plan.Class {
	build := func(g *plan.Gen, p *place) *message.Message {
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
	return listed(unstated(of(plan.FamilyInvalid, transport, "in-query")), judged(s, transport, inJSON(s, required(s)), build)[schema.Invalid], build)
}

// transport is the place of classes that change the head or the framing.
var transport = plan.Place{Name: "transport"}

// headKind changes the head of a baseline request: each field is one case.
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
func freshField(g *plan.Gen, f exchange.Field) exchange.Field {
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
		{"accept-several", fieldOf("Accept", "application/xml, application/json")},
		{"accept-other", fieldOf("Accept", "text/html", "application/json;q=0.9, text/html;q=0.8", "application/*", "application/xml", "text/plain", "image/*", "application/json;q=0", "application/problem+json", "application/vnd.example+json")},
		{"accept-malformed", fieldOf("Accept", "", "json", ",", "*", "application/json;q=x", ";q=1")},
		{"accept-charset", fieldOf("Accept-Charset", "utf-8", "iso-8859-1", "utf-16")},
		{"accept-language", fieldOf("Accept-Language", "de", "tr-TR", "xx;q=0.1", "*", "en_US")},
		{"accept-encoding", fieldOf("Accept-Encoding", "gzip", "gzip, deflate, br", "identity", "*", "br", "identity;q=0", "deflate", "zstd")},
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

// inParts puts the boundary of a body in parts behind the media type, where the body
// cannot be read without it.
func inParts(m *message.Message, f exchange.Field) exchange.Field {
	const parts = "multipart/form-data"
	if f.Name == "Content-Type" && m.Op.Body.Media == parts && len(f.Value) >= len(parts) && strings.EqualFold(f.Value[:len(parts)], parts) {
		f.Value = f.Value[:len(parts)] + strings.TrimPrefix(m.Media(), parts) + f.Value[len(parts):]
	}
	return f
}

// headKinds are those that an operation is tried with.
func headKinds(op *openapi.Operation) []headKind {
	all := anyHeads()
	if op.Body != nil {
		all = append(all, bodyHeads(op.Body.Media)...)
	}
	if choice := op.Choice(); choice != nil {
		all = append(all, headKind{"accept-one", fieldOf("Accept", choice...)})
	}
	for i := range all {
		all[i].fields = slices.DeleteFunc(all[i].fields, func(f exchange.Field) bool {
			return usual(op, f) || message.Changes(op, f) || all[i].kind == "accept-other" && message.TakesUsual(op, f.Value)
		})
	}
	return slices.DeleteFunc(all, func(k headKind) bool { return len(k.fields) == 0 })
}

// usual reports whether a field says nothing new, names another media type that the
// document lists, as which the body may be right, or is a parameter of the operation,
// which has cases of its own.
func usual(op *openapi.Operation, f exchange.Field) bool {
	if op.Body != nil && f.Name == "Content-Type" && op.Documents(f.Value) && !sameMedia(op.Body.Media, f.Value) {
		return true
	}
	return op.Body != nil && f.Name == "Content-Type" && (f.Value == op.Body.Media || strings.HasPrefix(f.Value, op.Body.Media+"; boundary=")) ||
		slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool {
			return p.In == "header" && strings.EqualFold(p.Name, f.Name) || p.In == "cookie" && f.Name == "Cookie"
		})
}

// answersJSON reports whether every documented success is JSON or has no form.
func answersJSON(op *openapi.Operation) bool {
	for _, r := range op.Documented(2) {
		for _, m := range r.Media {
			if m.Type != "application/json" {
				return false
			}
		}
	}
	return true
}

// apart are heads that servers refuse below the application, whoever sends them.
var apart = map[string]bool{"large-header": true, "non-ascii-header": true, "odd-header-name": true}

// sameMedia reports whether a content type is a media type, with any parameters.
func sameMedia(media, contentType string) bool {
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, ";")
		return strings.ToLower(strings.TrimSpace(s))
	}
	return plain(media) == plain(contentType)
}

var undocumentedMedia = plan.Mutator{
	Name: "undocumented-media",
	Doc:  "Sends a valid body under a media type that the document does not list, where it describes 415, because that answer is rarely tried: a server may take the body, but what it says of a refusal is documented.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.Describes415() {
			return nil
		}
		list := slices.DeleteFunc([]string{"application/x-conformance", "text/x-conformance"}, s.Op.Documents)
		return ahead(listed(of(plan.FamilyMayRefuse, transport, "unknown"), list, changed(func(m *message.Message, media string) {
			m.Fields = append(m.Fields, fieldOf("Content-Type", media)...)
		})))
	},
}
