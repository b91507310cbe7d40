package serialize_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"mime"
	"mime/multipart"
	"net/url"
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

// The standard library reads the same names and texts.
func TestTheStandardLibraryReadsAFormAlike(t *testing.T) {
	checkForms(t, func(d drawnForm) string {
		body, contentType, err := serialize.WriteFormBody(d.media, d.schema, nil, d.value)
		if err != nil {
			return err.Error()
		}
		got, err := standard(contentType, body)
		if err != nil {
			return err.Error()
		}
		if want := texts(d.value); want.Encode() != got.Encode() {
			return fmt.Sprintf("%v is %v", want, got)
		}
		return ""
	})
}

func standard(contentType string, body []byte) (url.Values, error) {
	if contentType == pairs {
		return url.ParseQuery(string(body))
	}
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, err
	}
	out := url.Values{}
	for r := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		p, err := r.NextPart()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		out.Add(p.FormName(), string(content))
	}
}

func texts(v *jsontree.Value) url.Values {
	out := url.Values{}
	add := func(name string, v *jsontree.Value) {
		if v.Kind == jsontree.Object {
			out.Add(name, v.String())
			return
		}
		text, _ := serialize.Scalar(v)
		out.Add(name, text)
	}
	for _, m := range v.Members {
		if m.Value.Kind != jsontree.Array {
			add(m.Name, m.Value)
		}
		for _, item := range m.Value.Items {
			add(m.Name, item)
		}
	}
	return out
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
