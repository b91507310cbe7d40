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

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
)

func typed(types ...string) *schema.Schema { return &schema.Schema{Types: types} }

func listOf(item *schema.Schema) *schema.Schema {
	return &schema.Schema{Types: []string{"array"}, Items: item}
}

func objectOf(properties ...*schema.Property) *schema.Schema {
	return &schema.Schema{Types: []string{"object"}, Properties: properties}
}

func property(name string, s *schema.Schema) *schema.Property {
	return &schema.Property{Name: name, Schema: s}
}

func tree(t testing.TB, text string) *jsontree.Value {
	t.Helper()
	doc, err := jsontree.Parse([]byte(text))
	require.NoError(t, err, text)
	return doc.Root
}

// in puts the value of the parameter "color" into its section.
func in(section string, v *jsontree.Value) *jsontree.Value {
	return jsontree.NewObject(jsontree.M(section, jsontree.NewObject(jsontree.M("color", v))))
}

// whole is the text of the one place that is in use.
func whole(e serialize.Encoded) string {
	out := strings.TrimPrefix(e.Path, "/") + e.Query + strings.Join(e.Cookie, "; ")
	for _, f := range e.Header {
		out += f.Value
	}
	return out
}

// The table of examples of OpenAPI 3.1.2, 4.8.12.6 (Style Examples), with every row that
// is defined. The column "undefined" is the empty string here, where there is a form for it.
func TestEveryRowOfTheStyleExamplesIsWrittenAndReadAsTheSpecificationShows(t *testing.T) {
	values := []struct {
		schema *schema.Schema
		json   string
	}{
		{typed("string"), `""`},
		{typed("string"), `"blue"`},
		{listOf(typed("string")), `["blue","black","brown"]`},
		{objectOf(property("R", typed("integer")), property("G", typed("integer")), property("B", typed("integer"))), `{"R":100,"G":200,"B":150}`},
	}
	const none = "n/a"
	for _, row := range []struct {
		style   string
		explode bool
		in      string
		want    [4]string
	}{
		{"matrix", false, "path", [4]string{none, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"}},
		{"matrix", true, "path", [4]string{none, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"}},
		{"label", false, "path", [4]string{none, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"}},
		{"label", true, "path", [4]string{none, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"}},
		{"simple", false, "path", [4]string{none, "blue", "blue,black,brown", "R,100,G,200,B,150"}},
		{"simple", true, "path", [4]string{none, "blue", "blue,black,brown", "R=100,G=200,B=150"}},
		{"simple", false, "header", [4]string{"", "blue", "blue,black,brown", "R,100,G,200,B,150"}},
		{"simple", true, "header", [4]string{"", "blue", "blue,black,brown", "R=100,G=200,B=150"}},
		{"form", false, "query", [4]string{"color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"}},
		{"form", true, "query", [4]string{"color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"}},
		{"form", false, "cookie", [4]string{"color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"}},
		// Not "&": the specification itself says that it is never right in a cookie.
		{"form", true, "cookie", [4]string{"color=", "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"}},
		{"cookie", true, "cookie", [4]string{"color=", "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"}}, // OpenAPI 3.2
		{"spaceDelimited", false, "query", [4]string{none, none, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"}},
		{"pipeDelimited", false, "query", [4]string{none, none, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"}},
		{"deepObject", true, "query", [4]string{none, none, none, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"}},
	} {
		template := "/"
		if row.in == "path" {
			template = "/{color}"
		}
		for i, v := range values {
			if row.want[i] == none {
				continue
			}
			name := row.style + " " + row.in + " " + v.json
			list := []*openapi.Parameter{{Name: "color", In: row.in, Style: row.style, Explode: row.explode, Schema: v.schema}}
			values := in(row.in, tree(t, v.json))
			got, err := serialize.WriteParameters(template, list, values)
			require.NoError(t, err, name)
			assert.Equal(t, row.want[i], whole(got), name)
			read := serialize.ReadParameters(template, list, got)
			assert.Equal(t, values.String(), read.Values.String(), name)
			unclear := row.style == "label" && !row.explode && i > 1 || row.in == "cookie" && row.style == "form" && row.explode && i > 1
			assert.Equal(t, unclear, read.Ambiguous, name)
			assert.Equal(t, unclear, len(read.Reasons) > 0, "%s: %v", name, read.Reasons)
		}
	}
}

// drawn is a list of parameters, and values for them.
type drawn struct {
	template string
	list     []*openapi.Parameter
	values   *jsontree.Value
}

func (d drawn) String() string {
	var b strings.Builder
	for _, p := range d.list {
		fmt.Fprintf(&b, "%s %s %s explode=%v reserved=%v media=%q %v; ", p.In, p.Name, p.Style, p.Explode, p.AllowReserved, p.Media, p.Schema.Types)
	}
	return d.template + " " + b.String() + d.values.String()
}

// drawer draws values. If it is wild, texts hold anything; otherwise what no server
// should stumble over.
type drawer struct {
	*rand.Rand
	wild bool
}

func (d drawer) text(in string, item bool) string {
	if d.wild && d.Intn(2) == 0 {
		b := make([]byte, d.Intn(6))
		for i := range b {
			if b[i] = "ab0"[d.Intn(3)]; d.Intn(4) == 0 {
				b[i] = ",.;=&|%+[]/ \\\"a0\x00\xff\xc3\xbc"[d.Intn(20)]
			}
		}
		return string(b)
	}
	alphabet := []rune("abXYZ019-_~!*'():@$ é植😀&=?#;|<{}^")
	switch {
	case in == "path":
		alphabet = []rune("abXYZ019-_~!*'():@$ é植😀&=?#|<{}^")
	case in == "header":
		alphabet = []rune("abXYZ019-_~!*'():@$&?#;|<{}^/\"")
	case in == "cookie":
		alphabet = []rune("abXYZ019-_~!*'():@$?#|<{}^/")
	case in == "query":
		alphabet = append(alphabet, []rune("/\\.+%[]")...)
	}
	out := make([]rune, 1+d.Intn(6))
	for i := range out {
		out[i] = alphabet[d.Intn(len(alphabet))]
	}
	if strings.Trim(string(out), " ") != string(out) || item && strings.ContainsAny(string(out), " |;=") || strings.Contains(string(out), "..") {
		return "x" + string('a'+rune(d.Intn(26)))
	}
	return string(out)
}

// scalar draws a schema and a value of it.
func (d drawer) scalar(in string, item bool) (*schema.Schema, *jsontree.Value) {
	number := fmt.Sprint(d.Int63n(1<<40) - 1<<39)
	switch d.Intn(6) {
	case 0:
		return typed("integer"), jsontree.NewNumber(number)
	case 1:
		if in == "path" { // a dot is a separator of the style label
			return typed("number"), jsontree.NewNumber(number)
		}
		return typed("number"), jsontree.NewNumber(number + ".5")
	case 2:
		return typed("boolean"), jsontree.NewBool(d.Intn(2) == 0)
	case 3:
		return &schema.Schema{AnyOf: []*schema.Schema{typed("integer"), typed("boolean")}}, jsontree.NewNumber(number)
	}
	return typed("string"), jsontree.NewString(d.text(in, item))
}

func (d drawer) parameter(name, in string) (*openapi.Parameter, *jsontree.Value) {
	styles := map[string][]string{"path": {"simple", "label", "matrix"}, "query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"}, "header": {"simple"}, "cookie": {"form", "cookie"}}[in]
	p := &openapi.Parameter{Name: name, In: in, Style: styles[d.Intn(len(styles))], Explode: d.Intn(2) == 0, AllowReserved: in == "query" && d.Intn(3) == 0}
	shape := d.Intn(3)
	if p.Style == "deepObject" {
		shape = 2
	}
	maximum := 4
	// Of these, specifications and servers know no one way to write several.
	if !d.wild && (in == "cookie" && p.Explode && p.Style == "form" || p.Style == "label" && !p.Explode || p.Explode && strings.HasSuffix(p.Style, "Delimited")) {
		maximum = 1
		shape = min(shape, 1)
	}
	var v *jsontree.Value
	switch shape {
	case 0:
		p.Schema, v = d.scalar(in, in == "path" && p.Style != "simple")
	case 1:
		v = jsontree.NewArray()
		for range 1 + d.Intn(maximum) {
			s, item := d.scalar(in, true)
			p.Schema, v.Items = listOf(s), append(v.Items, item)
			for v.Items[0].Kind != item.Kind {
				v.Items = v.Items[1:]
			}
		}
		if first := v.Items[0]; first.Kind == jsontree.Number {
			p.Schema.Items = typed("number")
		}
	default:
		v, p.Schema = jsontree.NewObject(), objectOf()
		for i := range 1 + d.Intn(maximum) {
			s, member := d.scalar(in, true)
			member0 := fmt.Sprintf("%s%d", name, i)
			p.Schema.Properties = append(p.Schema.Properties, property(member0, s))
			v.Members = append(v.Members, jsontree.M(member0, member))
		}
		p.Schema.Closed = d.Intn(2) == 0
	}
	if (d.wild || in == "query") && d.Intn(8) == 0 {
		p.Media = "application/json"
	}
	return p, v
}

func draw(wild bool) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		d := drawer{params.Rng, wild}
		out := drawn{template: []string{"/a/{p}", "/a/{p}.json", "/x({p})/y", "/{p}/b c"}[d.Intn(4)], values: jsontree.NewObject()}
		for _, section := range []struct{ in, names string }{{"path", "p"}, {"query", "qrs"}, {"header", "hi"}, {"cookie", "cd"}} {
			object := jsontree.NewObject()
			for _, name := range section.names {
				p, v := d.parameter(string(name), section.in)
				out.list, object.Members = append(out.list, p), append(object.Members, jsontree.M(p.Name, v))
			}
			out.values.Set(section.in, object)
		}
		return gopter.NewGenResult(out, gopter.NoShrinker)
	}
}

func check(t *testing.T, cases int, wild bool, condition func(drawn) string) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = cases
	properties := gopter.NewProperties(params)
	properties.Property(t.Name(), prop.ForAll(condition, draw(wild)))
	properties.TestingRun(t)
}

func TestWhatIsWrittenIsReadBackWithoutReasons(t *testing.T) {
	check(t, 2000, false, func(d drawn) string {
		got, err := serialize.WriteParameters(d.template, d.list, d.values)
		if err != nil {
			return err.Error()
		}
		read := serialize.ReadParameters(d.template, d.list, got)
		if read.Mismatch || read.Ambiguous || len(read.Reasons)+len(read.Unknown) > 0 || !jsontree.Equal(read.Values, d.values) {
			return fmt.Sprintf("%+v became %s %+v", got, read.Values, read)
		}
		return ""
	})
}

// A value that comes back as another one without a reason would be judged by what was
// not sent.
func TestWhateverIsWrittenIsReadBackOrHasAReason(t *testing.T) {
	written, same := 0, 0
	check(t, 2000, true, func(d drawn) string {
		// One at a time: else most lists have a part without a text.
		for _, section := range d.values.Members {
			for _, m := range section.Value.Members {
				values := jsontree.NewObject(jsontree.M(section.Name, jsontree.NewObject(m)))
				template := d.template
				if section.Name != "path" {
					template = "/"
				}
				got, err := serialize.WriteParameters(template, d.list, values)
				if err != nil {
					continue
				}
				read := serialize.ReadParameters(template, d.list, got)
				equal := jsontree.Equal(read.Values.At("/"+section.Name), values.Get(section.Name))
				if !equal && len(read.Reasons) == 0 || read.Mismatch || len(read.Unknown) > 0 {
					return fmt.Sprintf("%s: %+v became %s %+v", values, got, read.Values, read)
				}
				written++
				if equal {
					same++
				}
			}
		}
		return ""
	})
	assert.Greater(t, written, 10_000)
	assert.Greater(t, same, written*8/10)
}

// Whatever was read without a reason is written and read as the same value: a value
// has one meaning on the wire.
func FuzzWhatIsReadWithoutReasonsIsOneValue(f *testing.F) {
	f.Add("/a/1-x.json", "q=1&r=a,b&s=%7C&t%5Bb%5D=1&x=2", "1, 2", "c=1", uint8(3))
	f.Add("/a/;p=1;p=2-.b.json", "q=+1&q&&=", "a=1,b=2", "c=\"é\"", uint8(0xff))
	f.Add("/a/%2e-%.json", "q=%&t[b][c]=1&u=%00", "", "c", uint8(0x55))
	f.Fuzz(func(t *testing.T, path, query, header, cookie string, choice uint8) {
		schemas := []*schema.Schema{typed("integer"), listOf(typed("integer")), typed("string"), listOf(typed("string")), objectOf(property("b", typed("boolean"))), nil,
			typed("array", "string"), {OneOf: []*schema.Schema{typed("null"), typed("object"), typed("number")}}}
		list := []*openapi.Parameter{{Name: "p", In: "path"}, {Name: "o", In: "path"}, {Name: "q", In: "query"}, {Name: "r", In: "query"}, {Name: "s", In: "query"}, {Name: "t", In: "query"},
			{Name: "u", In: "query", Media: "application/json"}, {Name: "h", In: "header"}, {Name: "c", In: "cookie"}}
		styles := map[string][]string{"path": {"simple", "label", "matrix"}, "query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"}, "header": {"simple"}, "cookie": {"form"}}
		for i, p := range list {
			n := int(choice) + i
			p.Style = styles[p.In][n%len(styles[p.In])]
			p.Explode, p.Schema = n/4%2 == 0 || p.Style == "deepObject", schemas[n/8%len(schemas)]
		}
		const template = "/a/{p}-{o}.json"
		got := serialize.Encoded{Path: path, Query: query, Header: []exchange.Field{{Name: "H", Value: header}}, Cookie: []string{cookie}}
		read := serialize.ReadParameters(template, list, got)
		if read.Mismatch || len(read.Reasons) > 0 {
			return
		}
		again, err := serialize.WriteParameters(template, list, read.Values)
		if err != nil {
			return // "/a/1-..json" and such
		}
		if back := serialize.ReadParameters(template, list, again); !jsontree.Equal(read.Values, back.Values) {
			t.Fatalf("%+v is %s, written %+v is %s", got, read.Values, again, back.Values)
		}
	})
}
