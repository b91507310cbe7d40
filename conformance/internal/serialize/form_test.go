package serialize_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
)

const (
	pairs = "application/x-www-form-urlencoded"
	parts = "multipart/form-data"
)

// all is a schema with a property of each kind.
func all() *schema.Schema {
	file := typed("string")
	file.Format = "binary"
	return objectOf(property("id", typed("integer")), property("name", typed("string")), property("on", typed("boolean")), property("list", listOf(typed("string"))),
		property("file", file), property("files", listOf(file)), property("place", objectOf(property("x", typed("number")))), property("places", listOf(objectOf(property("x", typed("number"))))))
}

func TestAFormIsWrittenAsTheSpecificationShows(t *testing.T) {
	for _, row := range []struct {
		json, want string
		encoding   map[string]openapi.Encoding
	}{
		{`{"id":5,"name":"a b&c=d+é","on":false,"list":["x","y z"]}`, "id=5&name=a+b%26c%3Dd%2B%C3%A9&on=false&list=x&list=y+z", nil},
		// OpenAPI 3.1.2, 4.8.15.2.1: an object is one JSON text.
		{`{"place":{"x":1.5}}`, "place=%7B%22x%22%3A1.5%7D", nil}, {`{"places":[{"x":1},{"x":2}]}`, "places=%7B%22x%22%3A1%7D&places=%7B%22x%22%3A2%7D", nil},
		{`{"place":{"x":1.5}}`, "x=1.5", map[string]openapi.Encoding{"place": {Style: "form", Explode: true}}},
		{`{"place":{"x":1.5}}`, "place%5Bx%5D=1.5", map[string]openapi.Encoding{"place": {Style: "deepObject", Explode: true}}},
		{`{"list":["x","y"]}`, "list=x,y", map[string]openapi.Encoding{"list": {Style: "form"}}}, {`{"list":["x","y"]}`, "list=x+y", map[string]openapi.Encoding{"list": {Style: "spaceDelimited"}}},
		{`{"list":["x","y"]}`, "list=%5B%22x%22%2C%22y%22%5D", map[string]openapi.Encoding{"list": {Media: "application/json"}}}, {`{"list":[]}`, "", nil},
		{`{"name":"a/b"}`, "name=a/b", map[string]openapi.Encoding{"name": {Style: "form", Explode: true, AllowReserved: true}}}, {`{"more":[1,2],"x":{"y":null}}`, "more=1&more=2&x=%7B%22y%22%3Anull%7D", nil},
	} {
		body, contentType, err := serialize.WriteFormBody(pairs, all(), row.encoding, tree(t, row.json))
		require.NoError(t, err, row.json)
		assert.Equal(t, row.want, string(body))
		assert.Equal(t, pairs, contentType)
	}
	body, contentType, err := serialize.WriteFormBody(parts, all(), map[string]openapi.Encoding{"name": {Media: "text/html, text/*", Headers: []*openapi.Parameter{{Name: "X-A", In: "header", Style: "simple", Required: true, Schema: &schema.Schema{Const: jsontree.NewInt(7)}}}}},
		tree(t, `{"id":5,"name":"form-boundary","list":["x","y"],"file":"\u0000\r\n","place":{"x":1}}`))
	require.NoError(t, err)
	assert.Equal(t, "multipart/form-data; boundary=form-boundary-0", contentType)
	const b = "--form-boundary-0"
	assert.Equal(t, strings.ReplaceAll(b+`
Content-Disposition: form-data; name="id"

5
`+b+`
Content-Disposition: form-data; name="name"
Content-Type: text/html
X-A: 7

form-boundary
`+b+`
Content-Disposition: form-data; name="list"

x
`+b+`
Content-Disposition: form-data; name="list"

y
`+b+`
Content-Disposition: form-data; name="file"; filename="file"
Content-Type: application/octet-stream

`, "\n", "\r\n")+"\x00\r\n\r\n"+strings.ReplaceAll(b+`
Content-Disposition: form-data; name="place"
Content-Type: application/json

{"x":1}
`+b+`--
`, "\n", "\r\n"), string(body))
}

// drawnForm is a form in one of the two media types.
type drawnForm struct {
	media  string
	schema *schema.Schema
	value  *jsontree.Value
}

func drawForm(p *gopter.GenParameters) *gopter.GenResult {
	r := p.Rng
	out := drawnForm{[]string{pairs, parts}[r.Intn(2)], all(), jsontree.NewObject()}
	out.schema.Closed = r.Intn(2) == 0
	text := func(alphabet string) string {
		runes, b := []rune(alphabet), strings.Builder{}
		for range 1 + r.Intn(9) {
			b.WriteRune(runes[r.Intn(len(runes))])
		}
		return b.String()
	}
	item := func() *jsontree.Value { return jsontree.NewString(text("ab+ &=%;é植😀\"\\-~*{[")) }
	number := func() *jsontree.Value { return jsontree.NewInt(r.Int63() - r.Int63()) }
	add := func(name string, v *jsontree.Value) {
		if r.Intn(3) > 0 {
			out.value.Members = append(out.value.Members, jsontree.M(name, v))
		}
	}
	add("id", number())
	add("name", item())
	add("on", jsontree.NewBool(r.Intn(2) == 0))
	add("list", jsontree.NewArray(item(), item()))
	if out.media == parts {
		add("file", jsontree.NewString(randomBytes(r)))
		add("files", jsontree.NewArray(jsontree.NewString(randomBytes(r)), jsontree.NewString(randomBytes(r))))
		add("place", jsontree.NewObject(jsontree.M("x", number())))
		add("places", jsontree.NewArray(jsontree.NewObject(jsontree.M("x", number())), jsontree.NewObject()))
	}
	r.Shuffle(len(out.value.Members), func(i, j int) {
		out.value.Members[i], out.value.Members[j] = out.value.Members[j], out.value.Members[i]
	})
	return gopter.NewGenResult(out, gopter.NoShrinker)
}

func randomBytes(r *rand.Rand) string {
	b := make([]byte, r.Intn(20))
	for i := range b {
		b[i] = "\r\n-\x00\xff: formboundary"[r.Intn(19)]
	}
	return string(b)
}

func checkForms(t *testing.T, condition func(drawnForm) string) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = 1500
	properties := gopter.NewProperties(params)
	properties.Property(t.Name(), prop.ForAll(condition, drawForm))
	properties.TestingRun(t)
}

func TestAFormIsReadBackWithoutReasons(t *testing.T) {
	checkForms(t, func(d drawnForm) string {
		body, contentType, err := serialize.WriteFormBody(d.media, d.schema, nil, d.value)
		if err != nil {
			return err.Error()
		}
		read := serialize.ReadFormBody(d.media, d.schema, nil, contentType, body)
		if read.Malformed == nil && len(d.value.Members) == 0 {
			return ""
		}
		if read.Malformed != nil || read.Ambiguous || len(read.Reasons) > 0 || !jsontree.Equal(read.Value, d.value) {
			return fmt.Sprintf("%s as %q became %s %+v", d.value, body, read.Value, read)
		}
		return ""
	})
}

// What is read without a reason is one value, however it is written.
func FuzzWhatIsReadWithoutReasonsIsOneBody(f *testing.F) {
	f.Add(true, "b", []byte("id=5&name=a+b&list=x&list=y&x=1&place=%7B%22x%22%3A1%7D"))
	f.Add(false, "b", []byte("--b\r\nContent-Disposition: form-data; name=\"list\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\r\n--b--\r\n"))
	f.Add(false, "b", []byte("x\n--b\nContent-Type: application/json\nContent-Disposition: form-data;name=place\n\n{\n--b"))
	f.Fuzz(func(t *testing.T, coded bool, boundary string, body []byte) {
		media, contentType := pairs, pairs
		if !coded {
			media, contentType = parts, parts+"; boundary="+boundary
		}
		read := serialize.ReadFormBody(media, all(), nil, contentType, body)
		if read.Malformed != nil || len(read.Reasons) > 0 {
			return
		}
		again, contentType, err := serialize.WriteFormBody(media, all(), nil, read.Value)
		if err != nil {
			return // a name that a part cannot hold
		}
		back := serialize.ReadFormBody(media, all(), nil, contentType, again)
		if len(read.Value.Members) > 0 && !jsontree.Equal(read.Value, back.Value) {
			t.Fatalf("%q is %s, written %q is %s %v", body, read.Value, again, back.Value, back.Reasons)
		}
	})
}

func whats(r *serialize.FormReading) string {
	var out []string
	for _, e := range r.Reasons {
		out = append(out, strings.TrimSpace(e.Path+" "+e.What))
	}
	return strings.Join(out, "; ")
}

func TestPairsAreReadAsServersReadThem(t *testing.T) {
	for _, row := range []struct{ body, want, why string }{
		{"id=5&name=a+b%20c", `{"id":5,"name":"a b c"}`, ""}, {"list=x", `{"list":["x"]}`, ""}, {"", `{}`, "an empty form"}, {"name=", `{"name":""}`, ""},
		{"id=abc", `{"id":"abc"}`, ""}, {"id=05", `{"id":5}`, "/id number spelled 05"}, {"id=1&id=2", `{"id":1}`, "/id twice"}, {"x=a&x=b", `{"x":["a","b"]}`, "/x one value or several"}, {"x=a&y+z=b", `{"x":"a","y z":"b"}`, ""},
		{"id=%", `{"id":"%"}`, "/id invalid percent-encoding"}, {"place={}", `{"place":{}}`, "/place a character that is not percent-encoded; /place an object in a form without an encoding"},
		{"place=%7B", `{"place":"{"}`, "/place an object in a form without an encoding"}, {"x=%7B", `{"x":"{"}`, "/x a string or JSON"},
	} {
		read := serialize.ReadFormBody(pairs, all(), nil, pairs, []byte(row.body))
		require.NoError(t, read.Malformed)
		assert.Equal(t, row.want, read.Value.String(), row.body)
		assert.Equal(t, row.why, whats(read), row.body)
	}
}

func TestPartsAreReadFromWhateverReadersTake(t *testing.T) {
	const head = "Content-Disposition: form-data; name=\"id\"\n\n"
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for _, row := range []struct{ body, want, why string }{
		{crlf("--b\n" + head + "5\n--b--\n"), `{"id":5}`, ""}, {crlf("--b\n" + head + "5\n--b--"), `{"id":5}`, ""}, {crlf("--b \t\n" + head + "5\n--b--  \n"), `{"id":5}`, ""},
		{crlf("hello\n--b\n" + head + "5\n--b--\nbye"), `{"id":5}`, "text before the first part; text after the last part"},
		{crlf("--b\n" + head + "5\n--bc\n--b--\n"), `{"id":"5\r\n--bc"}`, ""}, {crlf("--b\n" + head + "--b\n--b--\n"), `{"id":""}`, "part without an empty line; part without a name; /id empty value"},
		{crlf("--b\n" + head + "5 --b\n--b--\n"), `{"id":"5 --b"}`, ""}, {"--b\n" + head + "5\n--b--\n", `{"id":5}`, "line end without a carriage return"}, {crlf("--b\n" + head + "5"), `{"id":5}`, "no boundary at the end"},
		{crlf("--b\ncontent-disposition: FORM-DATA; NAME=id\n\n5\n--b--\n"), `{"id":5}`, "a name of a part without quotes"},
		{crlf("--b\nContent-Disposition: form-data; name=\"i\\\"d\"\n\n5\n--b--\n"), `{"i\"d":5}`, "an escape in the name of a part; /i\"d a string or a number"},
		{crlf("--b\nContent-Disposition: attachment; name=\"id\n\n5\n--b--\n"), `{"id":5}`, "a part that is no form data; a name of a part without its last quote"},
		{crlf("--b\nX: y\nz\n\n5\n--b--\n"), `{}`, "a line in the head of a part that is no field; part without a name"}, {crlf("--b--\n"), `{}`, "no part"},
		{crlf("--b\n" + head + "5\n--b\n" + head + "6\n--b--\n"), `{"id":5}`, "/id twice"},
		{crlf("--b\nContent-Type: text/plain; charset=latin1\n" + head + "5\n--b--\n"), `{"id":5}`, "/id charset latin1"},
		{crlf("--b\nContent-Type: application/json\n" + head + "5\n--b--\n"), `{"id":5}`, "/id a part of another content type"},
		{crlf("--b\nContent-Transfer-Encoding: base64\nContent-Disposition: form-data; name=\"id\"; filename*=x\n\n5\n--b--\n"), `{"id":5}`, "content transfer encoding; a name of a part without quotes; a name of a part with its own encoding"},
		{crlf("--b\nContent-Disposition: form-data; name=\"file\"\n\n\xff\n--b--\n"), "{\"file\":\"\xff\"}", "/file a part of another content type; /file a file name that is missing or not expected"},
		{crlf("--b\nContent-Disposition: form-data; name=\"name\"\n\n\xff\n--b--\n"), "{\"name\":\"\xff\"}", "/name invalid UTF-8"},
		{crlf("--b\nContent-Disposition: form-data; name=\"place\"\nContent-Type: application/json\n\n{\"x\":1,\"x\":2}\n--b--\n"), `{"place":{"x":1,"x":2}}`, "/place duplicate name"},
		{crlf("--b\nContent-Disposition: form-data; name=\"place\"\nContent-Type: application/json\n\n{\n--b--\n"), `{"place":"{"}`, ""},
		{crlf("--b\nContent-Disposition: form-data; name=\"place\"\nContent-Type: application/json\n\n\"{}\"\n--b--\n"), `{"place":"{}"}`, "/place a JSON string that contains JSON"},
	} {
		read := serialize.ReadFormBody(parts, all(), nil, parts+"; boundary=b", []byte(row.body))
		require.NoError(t, read.Malformed, row.body)
		assert.Equal(t, row.want, read.Value.String(), row.body)
		assert.Equal(t, row.why, whats(read), row.body)
	}
	for body, contentType := range map[string]string{"--b--": parts, "--c--": parts + "; boundary=b", "": parts + "; boundary=b", "--b\r\nX\r\n--b--": parts + "; boundary=b", "--b--\r\n": "text/plain"} {
		assert.Error(t, serialize.ReadFormBody(parts, all(), nil, contentType, []byte(body)).Malformed, body)
	}
}

func TestAnArrayOfJSONPartsIsReadInBothWays(t *testing.T) {
	encoding := map[string]openapi.Encoding{"places": {Media: "application/json"}}
	for content, want := range map[string]string{`[{"x":1}]`: `{"places":[{"x":1}]}`, `{"x":1}`: `{"places":[{"x":1}]}`} {
		body := "--b\r\nContent-Disposition: form-data; name=\"places\"\r\nContent-Type: application/json\r\n\r\n" + content + "\r\n--b--\r\n"
		read := serialize.ReadFormBody(parts, all(), encoding, parts+"; boundary=b", []byte(body))
		assert.Equal(t, want, read.Value.String())
		assert.True(t, read.Ambiguous)
	}
}

func TestTextsAndBytesAreOneValue(t *testing.T) {
	for _, row := range []struct{ media, types, json, body, contentType string }{
		{"text/plain", "string", `"a b"`, "a b", "text/plain"}, {"text/plain", "string", `"é"`, "é", "text/plain; charset=utf-8"}, {"text/*", "integer", `5`, "5", "text/plain"}, {"text/csv", "boolean", `true`, "true", "text/csv"},
		{"text/plain; charset=utf-8", "string", `"é"`, "é", "text/plain; charset=utf-8"},
		{"image/*", "", `"\u0000"`, "\x00", "image/png"}, {"application/pdf", "string", `""`, "", "application/pdf"}, {"video/*", "string", `"x"`, "x", "video/mp4"},
	} {
		s := &schema.Schema{}
		if row.types != "" {
			s.Types = []string{row.types}
		}
		body, contentType, err := serialize.WriteFormBody(row.media, s, nil, tree(t, row.json))
		require.NoError(t, err)
		assert.Equal(t, []string{row.body, row.contentType}, []string{string(body), contentType})
		read := serialize.ReadFormBody(row.media, s, nil, contentType, body)
		require.NoError(t, read.Malformed)
		assert.Empty(t, read.Reasons)
		assert.Equal(t, row.json, read.Value.String())
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(255 - i)
	}
	body, contentType, err := serialize.WriteFormBody("application/octet-stream", nil, nil, jsontree.NewString(string(every)))
	require.NoError(t, err)
	assert.Equal(t, every, body)
	assert.Equal(t, string(every), serialize.ReadFormBody("application/octet-stream", nil, nil, contentType, body).Value.Text)
	for body, why := range map[string]string{" 5": "number spelled  5", "": "empty value", "\xef\xbb\xbf5": "byte order mark", "x": ""} {
		assert.Equal(t, why, whats(serialize.ReadFormBody("text/plain", typed("integer"), nil, "text/plain", []byte(body))), body)
	}
	assert.Equal(t, "charset utf-16", whats(serialize.ReadFormBody("text/plain", typed("string"), nil, "text/plain; charset=UTF-16", []byte("x"))))
	assert.Equal(t, "no content type", whats(serialize.ReadFormBody("image/*", nil, nil, "", []byte("x"))))
	assert.Error(t, serialize.ReadFormBody("image/*", nil, nil, "text/plain", []byte("x")).Malformed)
}

func TestMediaTypesWithAStructureOfTheirOwnAreNotSupported(t *testing.T) {
	for _, media := range []string{pairs, parts, "multipart/form-data; boundary=x", "text/plain", "TEXT/Plain; charset=utf-8", "text/*", "image/*", "image/png", "image/svg+xml", "text/x-yaml", "application/octet-stream", "application/pdf", "application/zip", "text/csv",
		"application/vnd.ms-excel"} {
		assert.True(t, serialize.SupportsForm(media), media)
	}
	for _, media := range []string{"application/json", "application/problem+json", "text/json", "application/xml", "text/xml", "application/yaml", "application/x-ndjson", "application/x-protobuf", "multipart/mixed",
		"multipart/*", "*/*", "application/*", "message/http", "", "text", "application/cbor"} {
		assert.False(t, serialize.SupportsForm(media), media)
		_, _, err := serialize.WriteFormBody(media, nil, nil, jsontree.NewString("x"))
		assert.Error(t, err, media)
		assert.Error(t, serialize.ReadFormBody(media, nil, nil, media, nil).Malformed, media)
	}
}

func TestAValueWithoutAFormIsAnErrorOfOneLine(t *testing.T) {
	style := map[string]openapi.Encoding{"list": {Style: "pipeDelimited"}, "x": {Media: "text/plain", Headers: []*openapi.Parameter{{Name: "X-A", In: "header", Required: true}}}}
	for _, row := range []struct{ media, json string }{
		{pairs, `5`}, {pairs, `{"id":null}`}, {pairs, `{"list":[["x"]]}`}, {parts, `[]`}, {parts, `{"id":null}`}, {parts, `{"list":[["x"]]}`}, {parts, `{"a\"b":1}`}, {parts, `{"a\r\nb":1}`}, {parts, `{"list":["x"]}`},
		{parts, `{"file":5}`}, {parts, `{"x":5}`}, {"text/plain", `null`}, {"text/plain", `{}`}, {"image/png", `5`}, {"image/png", `{}`},
	} {
		_, _, err := serialize.WriteFormBody(row.media, all(), style, tree(t, row.json))
		require.Error(t, err, "%s %s", row.media, row.json)
		assert.NotContains(t, err.Error(), "\n")
	}
	for media, want := range map[string]string{pairs: pairs, parts: parts + "; boundary=form-boundary", "text/*": "text/plain", "image/*": "image/png"} {
		_, contentType, err := serialize.WriteFormBody(media, nil, nil, nil)
		assert.Error(t, err)
		assert.Equal(t, want, contentType, "a body that is written by other means has a content type")
	}
}

func TestAnObjectWithAStyleInAPartMayBeReadOtherwise(t *testing.T) {
	encoding := map[string]openapi.Encoding{"place": {Style: "form", Explode: true}}
	value := tree(t, `{"place":{"x":1}}`)
	body, contentType, err := serialize.WriteFormBody(parts, all(), encoding, value)
	require.NoError(t, err)
	read := serialize.ReadFormBody(parts, all(), encoding, contentType, body)
	assert.Equal(t, value.String(), read.Value.String())
	assert.True(t, read.Ambiguous)
}

func TestTheContentTypeThatIsWrittenIsUsual(t *testing.T) {
	for _, row := range []struct{ media, json string }{
		{pairs, `{"x":"é"}`}, {parts, `{"x":"a"}`}, {"text/*", `"a"`}, {"text/plain", `"é"`}, {"image/png", `"é"`},
	} {
		body, contentType, err := serialize.WriteFormBody(row.media, all(), nil, tree(t, row.json))
		require.NoError(t, err)
		assert.True(t, serialize.Usual(row.media, contentType, body), contentType)
		assert.False(t, serialize.Usual(row.media, contentType+"; a=b", body), contentType)
		assert.Equal(t, contentType == "text/plain; charset=utf-8", !serialize.Usual(row.media, contentType, nil), "a charset of plain ASCII is unusual")
	}
	assert.False(t, serialize.Usual(parts, "Multipart/Form-Data; boundary=x", nil))
}

func TestPartsAreReadBehindAnOddContentType(t *testing.T) {
	body, _, err := serialize.WriteFormBody(parts, all(), nil, tree(t, `{"x":"a"}`))
	require.NoError(t, err)
	assert.Equal(t, parts+"; boundary=form-boundary", serialize.ContentType(parts, body))
	read := serialize.ReadFormBody(parts, all(), nil, parts+"; boundary=form-boundary; charset=", body)
	require.NoError(t, read.Malformed)
	assert.NotEmpty(t, read.Reasons)
	assert.Error(t, serialize.ReadFormBody(parts, all(), nil, parts, body).Malformed)
}
