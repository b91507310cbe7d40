package variants

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf16"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// headers adds headers to every response.
func headers(add http.Header) alter.Change {
	return sent(func(_ *http.Request, resp *reference.Response) {
		if resp.Header == nil {
			resp.Header = http.Header{}
		}
		for name, values := range add {
			resp.Header[name] = values
		}
	})
}

// sent changes every response before it is sent.
func sent(f func(*http.Request, *reference.Response)) alter.Change {
	return func(s *reference.Stages) {
		next := s.Send
		s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
			f(r, &resp)
			next(w, r, resp)
		}
	}
}

// content changes the body of every response.
func content(f func(string) string) alter.Change {
	return sent(func(_ *http.Request, resp *reference.Response) { resp.Body = []byte(f(string(resp.Body))) })
}

func mediaType(t string) alter.Change {
	return sent(func(_ *http.Request, resp *reference.Response) {
		if resp.Type == reference.JSON {
			resp.Type = t
		}
	})
}

// responses answer in another form.
func responses() []Variant {
	return []Variant{
		{Name: "pretty", Doc: "answers with line breaks and indentation, as pretty printers do",
			alter: content(func(b string) string {
				pairs, ok := alter.Object([]byte(b))
				if !ok {
					return b
				}
				var out strings.Builder
				for i, p := range pairs {
					fmt.Fprintf(&out, "%s\r\n\t%s : %s", []string{"{", ","}[min(i, 1)], alter.Quote(p.Name), p.Value)
				}
				return "\n " + out.String() + "\n}\n\n"
			})},
		{Name: "member-order", Doc: "answers with the members in the opposite order",
			alter: content(func(b string) string {
				pairs, ok := alter.Object([]byte(b))
				if !ok {
					return b
				}
				for i, j := 0, len(pairs)-1; i < j; i, j = i+1, j-1 {
					pairs[i], pairs[j] = pairs[j], pairs[i]
				}
				return string(alter.Text(pairs))
			})},
		{Name: "extra-members", Doc: "answers with more members than the schemas name, as most stores do",
			alter: content(func(b string) string {
				return strings.TrimSuffix(b, "}") + `,"id":7,"createdAt":"2024-01-01T00:00:00Z","links":[{"rel":"self"}],"owner":null}`
			})},
		{Name: "repeated-member", Doc: "answers with the name twice, with the same value", Warns: []string{"json-unique-names"},
			alter: alter.SuccessBody(func(p reference.Plant, b string) string {
				return strings.TrimSuffix(b, "}") + `,"name":` + alter.Quote(p.Name) + "}"
			})},
		{Name: "retry-after-in-words", Doc: "refuses with a Retry-After of minutes, which only a person can read", Warns: []string{"post-plants-retry-after"},
			alter: alter.Refusal(func(_ *reference.Refusal, resp *reference.Response) {
				if resp.Header == nil {
					resp.Header = http.Header{}
				}
				resp.Header.Set("Retry-After", "10 minutes")
			})},
		{Name: "ascii-only", Doc: "answers with everything beyond ASCII escaped, as Python's json module does",
			alter: content(func(b string) string { return escaped(b, func(r rune) bool { return r > 0x7e }) })},
		{Name: "html-safe", Doc: "answers with < > & ' escaped, as Go and .NET do",
			alter: content(func(b string) string {
				return escaped(b, func(r rune) bool { return strings.ContainsRune("<>&'\u2028\u2029", r) })
			})},
		{Name: "escaped-letters", Doc: "answers with every letter of a string escaped",
			alter: alter.SuccessBody(func(p reference.Plant, _ string) string {
				all := func(rune) bool { return true }
				out := `{"\u006e\u0061me":"` + escaped(p.Name, all) + `"`
				if p.Tag != nil {
					out += `,"t\u0061g":"` + escaped(*p.Tag, all) + `"`
				}
				return out + "}"
			})},
		{Name: "escaped-slash", Doc: "answers with slashes escaped, as PHP does",
			alter: content(func(b string) string { return strings.ReplaceAll(b, "/", `\/`) })},
		{Name: "tag-empty-when-absent", Doc: "answers with an empty tag where none was sent",
			alter: alter.Echo(func(p *reference.Plant) {
				if p.Tag == nil {
					p.Tag = new(string)
				}
			})},
		{Name: "tag-default", Doc: "answers with a tag of its own where none was sent",
			alter: alter.Echo(func(p *reference.Plant) {
				if p.Tag == nil {
					tag := "untagged"
					p.Tag = &tag
				}
			})},
		{Name: "error-exponent", Doc: "spells the error number 4e2",
			alter: alter.RefusalBody(func(why *reference.Refusal, _ string) string {
				return `{"error":4e2,"message":` + alter.Message(why) + "}"
			})},
		{Name: "error-fraction-zero", Doc: "spells the error number 400.0, as serializers of doubles do",
			alter: alter.RefusalBody(func(why *reference.Refusal, _ string) string {
				return `{"error":400.0,"message":` + alter.Message(why) + "}"
			})},
		{Name: "error-extremes", Doc: "uses the least int32 as error number and an empty message",
			alter: alter.RefusalBody(func(*reference.Refusal, string) string { return `{"error":-2147483648,"message":""}` })},
		{Name: "error-largest", Doc: "uses the largest int32 as error number and a message beyond ASCII",
			alter: alter.RefusalBody(func(*reference.Refusal, string) string {
				return `{"message":"⚠ Ungültige Pflanze 🌱\n","error":2147483647}`
			})},
		{Name: "charset-parameter", Doc: "adds charset=utf-8 to the media type, as many frameworks do",
			alter: mediaType("application/json; charset=utf-8")},
		{Name: "media-type-case", Doc: "spells the media type in capitals, with a quoted parameter",
			alter: mediaType(`Application/JSON ;Charset="UTF-8"; profile=x`)},
		{Name: "gzip-if-asked", Doc: "compresses where the request accepts gzip, as reverse proxies do",
			alter: sent(func(r *http.Request, resp *reference.Response) {
				if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
					return
				}
				resp.Body = alter.Zipped(resp.Body)
				resp.Header = http.Header{"Content-Encoding": {"gzip"}, "Vary": {"Accept-Encoding"}}
			})},
		{Name: "extra-headers", Doc: "sends the headers of frameworks and proxies, one of them 4 kB long",
			alter: headers(http.Header{
				"Server": {"nginx"}, "Strict-Transport-Security": {"max-age=31536000"}, "X-Powered-By": {"PHP/8.3"},
				"Set-Cookie": {"a=b; Path=/", "c=d; HttpOnly"}, "Link": {`</plants/1>; rel="self"`}, "Location": {"/plants/1"},
				"Etag": {`W/"1"`}, "Cache-Control": {"no-store"}, "Content-Language": {"en"}, "X-Padding": {strings.Repeat("x", 4096)},
			})},
		{Name: "padded", Doc: "answers with 64 kB of white space behind the value",
			alter: content(func(b string) string { return b + strings.Repeat(" \n", 32<<10) })},
	}
}

// escaped writes the runes that which picks as \u escapes. Text may be inside
// or outside of a JSON string, so quotes and backslashes are only picked in
// text that is not yet quoted.
func escaped(text string, which func(rune) bool) string {
	var out strings.Builder
	for _, r := range text {
		if !which(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04X`, unit)
		}
	}
	return out.String()
}
