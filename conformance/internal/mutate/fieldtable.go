package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// knownField is a request field that a client may send, with values of three sorts.
type knownField struct {
	name                  string
	right, odd, malformed string // empty: none is sent
}

// fieldGroup is request fields of one purpose. Those that ask for another answer, or for
// another method or target, are never sent with a body that must be refused.
type fieldGroup struct {
	kind string
	asks bool
	// Few servers read these at all.
	rarelyRead bool
	fields     []knownField
}

const (
	someDate = "Mon, 01 Jan 2024 00:00:00 GMT"
	oldDate  = "Monday, 01-Jan-24 00:00:00 GMT" // RFC 850, as RFC 9110, 5.6.7 has it
	sha256   = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
)

// fieldGroups are the fields of the IANA registry that clients send, and those that
// browsers, proxies and frameworks have made common.
func fieldGroups() []fieldGroup {
	return []fieldGroup{
		{"conditions", true, false, []knownField{
			{"If-Match", "*", `"a", W/"b", "c,d"`, `"x`},
			{"If-None-Match", `W/"x"`, `"a", "b"`, "x, y"},
			{"If-Modified-Since", oldDate, "Mon Jan  1 00:00:00 2024", "yesterday"},
			{"If-Unmodified-Since", someDate, oldDate, "0"},
			{"If-Range", `"x"`, someDate, "W/"},
			{"If", "(<urn:uuid:1>)", "(Not <DAV:no-lock>)", "("},
			{"If-Schedule-Tag-Match", `"x"`, "*", `"`},
			{"Range", "bytes=0-", "bytes=5-2", "items=0-1"},
		}},
		{"asks", true, false, []knownField{
			{"A-IM", "feed", "vcdiff;q=0.5, gzip", ";"},
			{"Accept-Datetime", someDate, oldDate, "now"},
			{"Accept-Features", "fulltext", "*", ";;"},
			{"Accept-Version", "1.0.0", "~1", "x"},
			{"Api-Version", "2024-01-01", "0", "-"},
			{"Negotiate", "trans", "1.0, vlist", ","},
			{"Prefer", "return=representation", `handling=strict; wait=0, x="y"`, "=;="},
			{"Upgrade-Insecure-Requests", "1", "0", "x"},
			{"X-Http-Method", "POST", "DELETE", "("},
			{"X-Method-Override", "POST", "PATCH", " "},
			{"X-Original-Url", "/", "//x", "%zz"},
			{"X-Rewrite-Url", "/", "?x", "%"},
		}},
		{"content", false, false, []knownField{
			{"Content-Digest", "", sha256, "sha-256=x"},
			{"Content-Disposition", `attachment; filename="a.json"`, "form-data; name*=utf-8''%e2%82%ac", `;filename="`},
			{"Content-Encoding", "", "gzip", "gzip, gzip"},
			{"Content-Encoding", "", "br", "x-none"},
			{"Content-Encoding", "", "deflate", "zstd;q=1"},
			{"Content-Language", "en, de", "x-klingon", "_"},
			{"Content-Location", "/x", "http://elsewhere.example/", "http://["},
			{"Content-Md5", "", "1B2M2Y8AsgTpgAmY7PhCfg==", "x"},
			{"Content-Range", "", "bytes 0-9/10", "bytes x"},
			{"Digest", "", "sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "x"},
			{"Expires", someDate, "0", "x"},
			{"Last-Modified", someDate, oldDate, "x"},
			{"Link", `</x>; rel="next"`, "<>;rel=a;rel=b", "<"},
			{"Mime-Version", "1.0", "2.0", "x"},
			{"Repr-Digest", "", sha256, ":"},
			{"Slug", "a", "%E2%82%AC", "%"},
			{"Trailer", "X-Sum", "Content-Length", ","},
			{"Want-Content-Digest", "sha-256=1", "md5=0, x=10", "=11"},
			{"Want-Digest", "sha-256", "*;q=0", ";"},
			{"Want-Repr-Digest", "sha-512=3", "x", "=,"},
		}},
		{"control", false, false, []knownField{
			{"Alt-Used", "a.example:443", "[::1]", ":"},
			{"Cache-Control", "no-store", "max-age=0, max-stale, x=\"y, z\"", "max-age=x"},
			{"Cache-Control", "no-transform", "min-fresh=99999999999999999999", `max-age="`},
			{"Capsule-Protocol", "?1", "?0", "?"},
			{"Connection", "close, x-other", ",", "\""},
			{"Date", someDate, oldDate, "2024-01-01T00:00:00Z"},
			{"Date", "", "Thu, 31 Feb 2024 25:61:61 GMT", "x"},
			{"Early-Data", "1", "0", "x"},
			{"From", "a@b.example", `"a b"@[127.0.0.1]`, "@"},
			{"Http2-Settings", "AAMAAABkAAQAAP__", "", "="},
			{"Keep-Alive", "timeout=5, max=100", "300", "timeout=x"},
			{"Max-Forwards", "10", "0", "-1"},
			{"Pragma", "x=y", `x="`, ","},
			{"Priority", "u=1, i", "u=9", "u=,"},
			{"Proxy-Authorization", "Basic eDp5", "x", "Basic %"},
			{"Proxy-Connection", "keep-alive", "close", ","},
			{"Te", "trailers, deflate;q=0.5", "chunked", ";q=2"},
			{"Via", "1.1 a.example", "HTTP/2 b (x y), 1.0 c:1", "("},
			{"Warning", `199 - "x"`, `110 a "b" "` + someDate + `"`, "x"},
		}},
		{"credentials", false, false, []knownField{
			{"Authentication-Info", "nextnonce=x", `a="b"`, "="},
			{"Client-Cert", ":AAAA:", ":!:", "x"},
			{"Dpop", "eyJhbGciOiJub25lIn0.e30.", "a.b", "."},
			{"Signature", "a=:AAAA:", "a=1", "="},
			{"Signature-Input", `a=("@method");created=1`, "a=()", "a=("},
			{"X-Csrf-Token", "x", "%", "é"},
			{"X-Xsrf-Token", "x", "a=b;c", "\x80"},
		}},
		{"cookies", false, false, []knownField{
			{"Cookie", "a=b; c=d", `a="b c"; a=; $Version=1`, "a b=c"},
			{"Cookie", "__Host-a=b", "a=%zz; b=%", "=;"},
			{"Cookie2", "$Version=1", "x", "="},
			{"Cookie", "", "a={\"b\":1}", "é=\xff"},
		}},
		{"browsers", false, true, []knownField{
			{"Dnt", "1", "null", "x"},
			{"Last-Event-Id", "1", "é", ""},
			{"Origin", "https://a.example:8443", "file://", "http://["},
			{"Ping-From", "http://a.example/", "x", "http://["},
			{"Referer", "https://a.example/x?y=%20", "about:blank", "http://[%"},
			{"Save-Data", "on", "off", "="},
			{"Sec-Ch-Ua", `"A";v="1", "B";v="2"`, `""`, `"`},
			{"Sec-Ch-Ua-Mobile", "?1", "?2", "x"},
			{"Sec-Ch-Ua-Platform", `"Linux"`, "Linux", `"`},
			{"Sec-Fetch-Dest", "empty", "document", "?"},
			{"Sec-Fetch-Mode", "cors", "websocket", ","},
			{"Sec-Fetch-Site", "same-origin", "none", "x y"},
			{"Sec-Fetch-User", "?1", "?0", "!"},
			{"Sec-Gpc", "1", "0", "x"},
			{"Sec-Websocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "x", "="},
			{"Sec-Websocket-Protocol", "chat, superchat", "x", ","},
			{"Sec-Websocket-Version", "13", "0", "x"},
			{"Sec-Websocket-Extensions", "permessage-deflate", "x; y=1", ";"},
			{"Viewport-Width", "320", "0", "x"},
			{"X-Requested-With", "XMLHttpRequest", "x", "é"},
		}},
		{"proxies", false, false, []knownField{
			{"Cdn-Loop", "a.example", `a; b="c"`, ";"},
			{"Forwarded", `for="[2001:db8::1]:47011";proto=https;by=x`, "for=_a, For=unknown;host=x", `for="`},
			{"Front-End-Https", "on", "off", "x"},
			{"Proxy", "http://a.example", "x", "http://["},
			{"True-Client-Ip", "192.0.2.1", "::1", "999.1.1.1"},
			{"X-Client-Ip", "192.0.2.1", "unknown", "1.2.3"},
			{"X-Forwarded-For", "192.0.2.1, 2001:db8::1", "unknown, [::1]:80", ", ,"},
			{"X-Forwarded-Host", "a.example", "a.example:x", "a b"},
			{"X-Forwarded-Port", "443", "0", "x"},
			{"X-Forwarded-Prefix", "/x", "//", "%zz"},
			{"X-Forwarded-Proto", "https, https", "wss", ":"},
			{"X-Forwarded-Server", "a.example", "-", "["},
			{"X-Real-Ip", "192.0.2.1", "::ffff:1.2.3.4", "x"},
			{"X-Request-Start", "t=1700000000.0", "-1", "x"},
		}},
		{"webdav", false, true, []knownField{
			{"Apply-To-Redirect-Ref", "T", "F", "x"},
			{"Depth", "0", "infinity", "x"},
			{"Destination", "/x", "http://elsewhere.example/x", "http://["},
			{"Lock-Token", "<urn:uuid:1>", "<>", "<"},
			{"Overwrite", "T", "f", "x"},
			{"Position", "first", "after x", ","},
			{"Timeout", "Second-10, Infinite", "Second-99999999999999999999", "x"},
			{"Label", "a", "%", ","},
		}},
		{"frameworks", false, false, []knownField{
			{"Baggage", "a=b;c=d", "a=%zz", "="},
			{"B3", "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1", "0", "-"},
			{"Soapaction", `"urn:x"`, `""`, "urn:x"},
			{"Topic", "a", "", "é"},
			{"Tracestate", "a=b,c=d", ",", "="},
			{"Ttl", "10", "-1", "x"},
			{"Urgency", "low", "very-low", "x"},
			{"X-Correlation-Id", "a-b", "{}", "\"'"},
			{"X-Device-Id", "1", "<x>", "%00"},
			{"X-Amzn-Trace-Id", "Root=1-67891233-abcdef012345678912345678", "Self=x", "="},
			{"X-Timezone", "Europe/Berlin", "+25:00", "x"},
			{"X-User-Agent", "x/1", "", "()"},
		}},
		{"debugging", false, true, []knownField{
			{"X-Debug", "1", "", "{"},
			{"X-Debug-Token", "x", "", "%"},
			{"X-Dry-Run", "0", "", "x"},
			{"X-Pretty-Print", "0", "", "x"},
			{"X-Profile", "1", "", "="},
			{"X-Test", "1", "", "{}"},
			{"X-Trace", "1", "", "-"},
			{"X-Verbose", "1", "", "x"},
		}},
	}
}

// sent are the values of a group, the malformed ones of all fields first, because they
// tell most. What the operation describes has cases of its own.
func (k *fieldGroup) sent(op *openapi.Operation) []exchange.Field {
	return k.with(op, func(f knownField) string {
		if k.rarelyRead && slices.Contains(shapes, f.malformed) {
			return "" // shaped-fields sends that together with others
		}
		return f.malformed
	}, func(f knownField) string { return f.odd }, func(f knownField) string { return f.right })
}

// proper are the fields of a group with right values.
func (k *fieldGroup) proper(op *openapi.Operation) []exchange.Field {
	return k.with(op, func(f knownField) string { return f.right })
}

func (k *fieldGroup) with(op *openapi.Operation, values ...func(knownField) string) []exchange.Field {
	var out []exchange.Field
	for _, value := range values {
		for _, f := range k.fields {
			if v := value(f); v != "" {
				out = append(out, exchange.Field{Name: f.name, Value: v})
			}
		}
	}
	return slices.DeleteFunc(out, func(f exchange.Field) bool {
		return usual(op, f) || message.Changes(op, f) || op.Carries("header", strings.ToLower(f.Name)) || f.Name == "Cookie" && op.Carries("cookie", "") ||
			op.Body == nil && k.kind == "content"
	})
}

// shapes are what a value of any field can be instead of what its reader expects: a word, a
// number, a separator without what it separates, a parameter that is none.
var shapes = []string{"x", "99999999999999999999", "=", ";q=x", `"`, ",", "-", "%"}

var registeredFields = plan.Mutator{
	Name: "registered-fields",
	Doc:  "Sends every request field that clients, proxies and frameworks know, with right, odd and malformed values, because a server may refuse or ignore a field, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, k := range fieldGroups() {
			out = append(out, listed(of(plan.FamilyMayRefuse, transport, k.kind), k.sent(s.Op), changed(func(m *message.Message, f exchange.Field) {
				m.Fields = append(m.Fields, f)
			}))...)
		}
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return out
		}
		return append(out, besideInvalid(s)...)
	},
}

// besideInvalid sends one value of each field with a body that must be refused.
func besideInvalid(s *plan.Space) []plan.Class {
	corruptions := spoilers(s)
	if len(corruptions) == 0 {
		return nil
	}
	var out []plan.Class
	for _, k := range fieldGroups() {
		if k.asks {
			continue
		}
		fields := k.sent(s.Op)
		if len(fields) == 0 {
			continue
		}
		out = append(out, single(unstated(of(plan.FamilyInvalid, transport, k.kind)), (len(fields)+2)/3, func(g *plan.Gen, draw int) *message.Message {
			m := corrupted(g, corruptions, draw)
			m.Fields = append(m.Fields, fields[(3*draw+1)%len(fields)])
			return m
		}))
	}
	return out
}

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
		return listed(unstated(of(plan.FamilyMayRefuse, transport, "all-fields")), list, changed(func(m *message.Message, p part) {
			m.Fields = append(m.Fields, p.fields...)
		}))
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
