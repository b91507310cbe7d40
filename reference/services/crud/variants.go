package crud

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net"
	"slices"
	"strings"
	"time"
)

// Variant keeps the document in an unusual way.
type Variant struct {
	Name string
	// Doc says what it does and why it may.
	Doc string
	// Wider reports whether it conforms to [WiderDocument] alone.
	Wider bool
	// Principals reports whether the service has two, who hide what they make from each other.
	Principals bool
	// alter changes an answer, finish does so when its content is bytes.
	alter, finish func(*call, *answer)
	// around stands around the operations.
	around around
	// listen changes how connections are accepted.
	listen func(net.Listener) net.Listener
}

// Alone reports whether a single exchange shows the variant.
func (v Variant) Alone() bool {
	return !slices.ContainsFunc(slices.Concat(inStories(), limits()), func(other Variant) bool { return other.Name == v.Name })
}

// FindVariant returns the variant with that name.
func FindVariant(name string) (Variant, bool) {
	list := Variants()
	if i := slices.IndexFunc(list, func(v Variant) bool { return v.Name == name }); i >= 0 {
		return list[i], true
	}
	return Variant{}, false
}

// Variants lists them all. Those without a function are switches in the code of
// the service: their names stand where they act.
func Variants() []Variant {
	return slices.Concat(judgments(), values(), answers(), connections(), inStories(), limits())
}

// inStories lists the variants that several exchanges show together.
func inStories() []Variant {
	return slices.Concat(stores(), replacements(), orders(), nestings(), delays(), accepting(), principals())
}

// judgments are about what the service takes and how it refuses the rest.
func judgments() []Variant {
	return []Variant{
		{Name: "not-found-first", Doc: "asks whether the path names something before it reads the rest: 404 comes before 400; both are documented"},
		{Name: "unprocessable", Doc: "answers 422 where a member of the body breaks its schema; 400 and 422 are documented"},
		{Name: "unknown-members-refused", Doc: "refuses unknown members of bodies whose schema leaves them open"},
		{Name: "unknown-query-refused", Doc: "refuses query parameters that the document does not name"},
		{Name: "other-base", Doc: "takes 0x10 for 16, 0o20 and 0b10000 too, in parameters and forms"},
		{Name: "leading-zeros", Doc: "takes 05 for 5 in parameters and forms"},
		{Name: "booleans-any-case", Doc: "takes TRUE for true in parameters and forms"},
		{Name: "fractions-refused", Doc: "refuses 1.0 and 1e2 where a body has an integer, as many parsers do"},
		{Name: "repeated-first", Doc: "takes the first of two query parameters of one name"},
		{Name: "repeated-last", Doc: "takes the last of two query parameters of one name"},
		{Name: "duplicate-names", Doc: "takes the last of two members of one name (RFC 8259, 4)"},
		{Name: "read-only-refused", Doc: "refuses readOnly members in a body; they are ignored or rejected (JSON Schema Validation, 9.4)"},
		{Name: "email-unique", Doc: "refuses a second user of one address with 409, as documented"},
	}
}

// values are about what the service stores and makes.
func values() []Variant {
	return []Variant{
		{Name: "random-ids", Doc: "ids of projects are random numbers of 53 bits"},
		{Name: "sequential-uuids", Doc: "ids of users and tasks count from 00000000-0000-4000-8000-000000000001"},
		{Name: "odd-times", Doc: "writes times with fractions and the offset +05:30"},
		{Name: "email-lower-case", Doc: "stores addresses in lower case"},
		{Name: "upper-case-uuids", Doc: "writes the letters of UUIDs in upper case; they have no case (RFC 9562, 4)", alter: upperIDs},
	}
}

// answers are about how a response is written.
func answers() []Variant {
	return []Variant{
		{Name: "weak-etag", Doc: "gives weak entity tags where no condition compares them"},
		{Name: "absolute-location", Doc: "Location has scheme and host"},
		{Name: "relative-location", Doc: "Location is relative to the path of the request (RFC 9110, 10.2.2)"},
		{Name: "public-location", Doc: "Location has the public name of the service, and tests reach it by another one"},
		{Name: "gateway-location", Doc: "Location has the prefix of the gateway that stands before the service, and tests go past it"},
		{Name: "lower-case-names", Doc: "writes the names of header fields in lower case"},
		{Name: "trailing-newline", Doc: "ends JSON with a newline", finish: onJSON(func(a *answer) { a.bytes = append(a.bytes, '\n') })},
		{Name: "indented", Doc: "indents JSON", finish: onJSON(func(a *answer) {
			var b bytes.Buffer
			_ = json.Indent(&b, a.bytes, "", "\t") // it was just encoded
			a.bytes = b.Bytes()
		})},
		{Name: "charset-parameter", Doc: "media types have charset=UTF-8", finish: onJSON(func(a *answer) { a.media += "; charset=UTF-8" })},
		{Name: "extra-headers", Doc: "sends fields that the document does not name", alter: func(_ *call, a *answer) {
			a.header.Set("X-Powered-By", "the desk")
			a.header.Set("Cache-Control", "no-store")
			a.header.Add("Set-Cookie", "seen=1; Path=/")
		}},
		{Name: "extra-members", Doc: "adds members where the schema of the answer is open", alter: extraMembers},
		{Name: "short-problems", Doc: "problems have only what is required", alter: func(_ *call, a *answer) {
			if m, ok := a.value.(map[string]any); ok && a.status >= 400 {
				a.value = map[string]any{"title": m["title"], "status": m["status"]}
			}
		}},
	}
}

// connections are about how bytes travel.
func connections() []Variant {
	return []Variant{
		{Name: "chunked", Doc: "sends content in chunks, without a length"},
		{Name: "gzip", Doc: "packs content for those who accept it", finish: pack},
		{Name: "length-on-204", Doc: "sends Content-Length: 0 with 204, as old servers do (RFC 9110, 8.6 says not to; clients take it)",
			alter: func(_ *call, a *answer) {
				if a.status == 204 {
					a.byHand = true
				}
			}},
		{Name: "closing", Doc: "closes the connection after each answer", alter: func(_ *call, a *answer) { a.header.Set("Connection", "close") }},
		{Name: "one-connection", Doc: "serves one connection at a time; the next waits until it is closed or idle for 100 ms", listen: oneConnection},
		{Name: "slow", Doc: "waits 5 ms before each answer", alter: func(*call, *answer) { time.Sleep(5 * time.Millisecond) }},
	}
}

// onJSON changes answers that are JSON.
func onJSON(change func(*answer)) func(*call, *answer) {
	return func(_ *call, a *answer) {
		if a.value != nil {
			change(a)
		}
	}
}

// extraMembers adds to the objects of open schemas.
func extraMembers(c *call, a *answer) {
	add := func(v any) {
		if m, ok := v.(map[string]any); ok {
			m["_links"] = map[string]any{"self": c.request.URL.Path}
			m["extra"] = nil
		}
	}
	switch c.op.name {
	case "listUsers":
		if all, ok := a.value.([]any); ok {
			for _, v := range all {
				add(v)
			}
		}
	case "listProjects", "createProject", "getProject", "replaceProject", "changeProject", "sendFeedback":
		if a.status >= 400 {
			add(a.value)
		}
		return // closed
	}
	add(a.value)
}

// pack is gzip, for those who accept it.
func pack(c *call, a *answer) {
	if len(a.bytes) == 0 || !strings.Contains(c.request.Header.Get("Accept-Encoding"), "gzip") {
		return
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(a.bytes)
	_ = z.Close()
	a.bytes = b.Bytes()
	a.header.Set("Content-Encoding", "gzip")
	a.header.Set("Vary", "Accept-Encoding")
}

// upperIDs changes the ids of users and tasks.
func upperIDs(_ *call, a *answer) {
	var change func(v any) any
	change = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				if text, ok := member.(string); ok && (name == "id" || name == "receipt") && uuidPattern.MatchString(text) {
					v[name] = strings.ToUpper(text)
					continue
				}
				v[name] = change(member)
			}
		case []any:
			for i := range v {
				v[i] = change(v[i])
			}
		}
		return v
	}
	if a.value != nil {
		a.value = change(a.value)
	}
}
