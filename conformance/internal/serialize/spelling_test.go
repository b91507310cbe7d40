package serialize_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
)

// A text that cannot be read as the type breaks it; one that lenient readers take has
// the value that they take, and a reason.
func TestATextIsTheValueThatIsMeant(t *testing.T) {
	for _, row := range []struct {
		types  []string
		text   string
		want   string
		reason bool
	}{
		{[]string{"integer"}, "5", `5`, false}, {[]string{"integer"}, "-5", `-5`, false}, {[]string{"integer"}, "9223372036854775808", `9223372036854775808`, false},
		{[]string{"integer"}, "+5", `5`, true}, {[]string{"integer"}, "05", `5`, true}, {[]string{"integer"}, "-05", `-5`, true}, {[]string{"integer"}, "5.", `5`, true},
		{[]string{"number"}, ".5", `0.5`, true}, {[]string{"integer"}, "5.0", `5.0`, true}, {[]string{"integer"}, "1e2", `1e2`, true}, {[]string{"integer"}, " 5", `5`, true},
		{[]string{"integer"}, "5_000", `5000`, true}, {[]string{"integer"}, "٥", `5`, true}, {[]string{"integer"}, "𝟝", `5`, true}, {[]string{"number"}, "5.0", `5.0`, false},
		{[]string{"number"}, "1e400", `1e400`, false}, {[]string{"integer"}, "1.5", `1.5`, false}, {[]string{"number"}, "1e2", `1e2`, false},
		{[]string{"integer"}, "0x1F", `31`, true}, {[]string{"integer"}, "0o17", `15`, true}, {[]string{"number"}, "0b11", `3`, true}, {[]string{"integer"}, "0x", `"0x"`, false}, {[]string{"integer"}, "0x-1", `"0x-1"`, false}, {[]string{"integer"}, "0b12", `"0b12"`, false}, {[]string{"number"}, "NaN", `"NaN"`, false}, {[]string{"integer"}, "abc", `"abc"`, false}, {[]string{"integer"}, "_5", `"_5"`, false},
		{[]string{"integer"}, "5_", `"5_"`, false}, {[]string{"integer"}, "5__0", `"5__0"`, false}, {[]string{"integer"}, "-", `"-"`, false}, {[]string{"integer"}, ".", `"."`, false},
		{[]string{"integer"}, "5 0", `"5 0"`, false}, {[]string{"integer"}, "--5", `"--5"`, false}, {[]string{"integer"}, "true", `"true"`, false}, {[]string{"integer"}, "", `""`, true},
		{[]string{"boolean"}, "true", `true`, false}, {[]string{"boolean"}, "false", `false`, false}, {[]string{"boolean"}, "TRUE", `true`, true}, {[]string{"boolean"}, "False", `false`, true},
		{[]string{"boolean"}, "1", `true`, true}, {[]string{"boolean"}, "0", `false`, true}, {[]string{"boolean"}, "yes", `true`, true}, {[]string{"boolean"}, "no", `false`, true},
		{[]string{"boolean"}, "on", `true`, true}, {[]string{"boolean"}, "off", `false`, true}, {[]string{"boolean"}, "t", `true`, true}, {[]string{"boolean"}, "f", `false`, true},
		{[]string{"boolean"}, "2", `"2"`, false}, {[]string{"boolean"}, "maybe", `"maybe"`, false},
		{[]string{"string"}, "5", `"5"`, false}, {[]string{"string"}, "true", `"true"`, false}, {[]string{"string"}, "", `""`, false}, {[]string{"string"}, "+5", `"+5"`, false},
		{[]string{"string", "integer"}, "5", `5`, true}, {[]string{"string", "integer"}, "+5", `"+5"`, true}, {[]string{"string", "integer"}, "a", `"a"`, false},
		{[]string{"string", "boolean"}, "true", `true`, true}, {[]string{"integer", "boolean"}, "true", `true`, false}, {[]string{"integer", "boolean"}, "1", `1`, false},
		{[]string{"string", "null"}, "null", `"null"`, true}, {[]string{"integer", "null"}, "null", `null`, true}, {[]string{"string", "null"}, "", `""`, true}, {nil, "a", `"a"`, false}, {nil, "5", `5`, true},
	} {
		v, reasons := serialize.Text(typed(row.types...), row.text)
		assert.Equal(t, row.want, v.String(), "%v %q", row.types, row.text)
		assert.Equal(t, row.reason, len(reasons) > 0, "%v %q: %v", row.types, row.text, reasons)
	}
	number := func(texts ...string) *schema.Schema {
		s := &schema.Schema{}
		for _, text := range texts {
			s.Enum = append(s.Enum, jsontree.NewNumber(text))
		}
		return s
	}
	for _, row := range []struct {
		schema *schema.Schema
		text   string
		want   string
		reason bool
	}{
		{number("1", "2"), "1", `1`, false}, {number("1", "2"), "1.0", `1.0`, true}, {number("1.5"), "1.5", `1.5`, false}, {number("1.5"), "1.50", `1.50`, true}, {number("1.5"), "15e-1", `15e-1`, true},
		{number("1.5"), "7", `7`, false}, {&schema.Schema{Enum: []*jsontree.Value{jsontree.NewString("1")}}, "1", `"1"`, false}, {&schema.Schema{Const: jsontree.NewBool(true)}, "true", `true`, false},
		{&schema.Schema{Types: []string{"string"}, Format: "uuid"}, "", `""`, true}, {&schema.Schema{OneOf: []*schema.Schema{typed("integer"), typed("string")}}, "1", `1`, true},
	} {
		v, reasons := serialize.Text(row.schema, row.text)
		assert.Equal(t, row.want, v.String(), row.text)
		assert.Equal(t, row.reason, len(reasons) > 0, "%q: %v", row.text, reasons)
	}
}

// param is a parameter "a" in its default style.
func param(in string, s *schema.Schema) *openapi.Parameter {
	style := map[string]string{"path": "simple", "query": "form", "header": "simple", "cookie": "form"}[in]
	return &openapi.Parameter{Name: "a", In: in, Style: style, Explode: style == "form", Schema: s}
}

func reasons(r *serialize.ParameterReading) map[string]string {
	out := map[string]string{}
	for _, e := range r.Reasons {
		out[e.Path] = e.What
	}
	return out
}

func TestAQueryIsReadAsServersReadIt(t *testing.T) {
	text, number, list := param("query", typed("string")), param("query", typed("integer")), param("query", listOf(typed("integer")))
	deep := param("query", objectOf(property("b", typed("integer"))))
	deep.Style = "deepObject"
	joined := param("query", listOf(typed("string")))
	joined.Explode = false
	closed := param("query", objectOf(property("b", typed("integer"))))
	closed.Style, closed.Schema.Closed = "deepObject", true
	for _, row := range []struct {
		p     *openapi.Parameter
		query string
		want  string
		why   map[string]string
	}{
		{text, "a=b+c", `{"a":"b c"}`, map[string]string{"/query/a": `"+" for a blank`}},
		{text, "a=%62%20%C3%A9", `{"a":"b é"}`, nil}, {text, "%61=b", `{"a":"b"}`, nil}, {text, "a=b=c", `{"a":"b=c"}`, nil},
		{text, "a=%zz", `{"a":"%zz"}`, map[string]string{"/query/a": "invalid percent-encoding"}},
		{text, "a=%ff", "{\"a\":\"\xff\"}", map[string]string{"/query/a": "invalid UTF-8"}},
		{text, "a=%00", `{"a":"\u0000"}`, map[string]string{"/query/a": "NUL"}},
		{text, "a=é", `{"a":"é"}`, map[string]string{"/query/a": "a character that is not percent-encoded"}},
		{text, "a=1&a=2", `{"a":"1"}`, map[string]string{"/query/a": "twice"}},
		{text, "a=1&&", `{"a":"1"}`, map[string]string{"/query": "empty pair"}},
		{text, "a", `{"a":""}`, map[string]string{"/query/a": `name without "="`}},
		{text, "", `{}`, nil}, {text, "a=", `{"a":""}`, nil},
		{number, "a=", `{"a":""}`, map[string]string{"/query/a": "empty value"}},
		{list, "a=1&a=2", `{"a":[1,2]}`, nil}, {list, "a=1", `{"a":[1]}`, nil},
		{list, "a=1,2", `{"a":["1,2"]}`, map[string]string{"/query/a": "a separator inside an item"}},
		{list, "a=", `{"a":[""]}`, map[string]string{"/query/a/*": "empty value"}},
		{list, "a=1&a=x", `{"a":[1,"x"]}`, nil},
		{joined, "a=1,2", `{"a":["1","2"]}`, nil}, {joined, "a=1%2C2", `{"a":["1,2"]}`, map[string]string{"/query/a": "a separator inside an item"}},
		{joined, "a=1,,2", `{"a":["1","","2"]}`, map[string]string{"/query/a/*": "empty item"}}, {joined, "a=", `{"a":[]}`, map[string]string{"/query/a": "empty value"}},
		{deep, "a%5Bb%5D=1", `{"a":{"b":1}}`, nil}, {deep, "a%5Bc%5D=x", `{"a":{"c":"x"}}`, map[string]string{"/query/a/c": "unknown key"}}, {closed, "a%5Bc%5D=x", `{"a":{"c":"x"}}`, nil},
		{deep, "a%5Bb%5D%5Bc%5D=x", `{"a":{}}`, map[string]string{"/query/a": `key "[b][c]"`}}, {deep, "a=1", `{"a":{}}`, map[string]string{"/query/a": `key ""`}},
		{deep, "a%5Bb%5D=1&a%5Bb%5D=2", `{"a":{"b":1}}`, map[string]string{"/query/a/b": "twice"}},
	} {
		read := serialize.ReadParameters("/", []*openapi.Parameter{row.p}, serialize.Encoded{Path: "/", Query: row.query})
		assert.Equal(t, row.want, read.Values.Get("query").String(), row.query)
		if row.why == nil {
			row.why = map[string]string{}
		}
		assert.Equal(t, row.why, reasons(read), row.query)
		assert.Empty(t, read.Unknown, row.query)
	}
	read := serialize.ReadParameters("/", []*openapi.Parameter{text}, serialize.Encoded{Path: "/", Query: "A=1&b/c=2&b/c=3"})
	assert.Equal(t, []string{"/query/A", "/query/b~1c"}, read.Unknown)
	assert.Equal(t, `{"query":{}}`, read.Values.String())
}

func TestAnObjectThatIsSpreadOverAQueryHasItsOwnMembersFirst(t *testing.T) {
	named := func(name string, s *schema.Schema) *openapi.Parameter {
		p := param("query", s)
		p.Name = name
		return p
	}
	closed := objectOf(property("z", typed("integer")))
	closed.Closed = true
	open := objectOf(property("x", typed("integer")))
	open.Extra = typed("integer")
	free, other, wide, anyName := named("free", objectOf(property("x", typed("integer")))), named("other", objectOf(property("y", typed("integer")))), named("wide", open), named("any", typed("object"))
	for _, row := range []struct {
		list        []*openapi.Parameter
		query, want string
		unknown     []string
		ambiguous   bool
	}{
		{[]*openapi.Parameter{free, other}, "y=2&x=1&more=3", `{"free":{"x":1},"other":{"y":2}}`, []string{"/query/more"}, false},
		{[]*openapi.Parameter{free}, "more=3", `{}`, []string{"/query/more"}, false},
		{[]*openapi.Parameter{wide}, "more=3", `{}`, []string{"/query/more"}, false},
		{[]*openapi.Parameter{wide}, "more=3&x=1", `{"wide":{"more":3,"x":1}}`, nil, false},
		{[]*openapi.Parameter{anyName}, "more=3", `{"any":{"more":3}}`, nil, false},
		{[]*openapi.Parameter{named("shut", closed)}, "z=1&more=3", `{"shut":{"z":1}}`, []string{"/query/more"}, false},
		{[]*openapi.Parameter{named("shut", closed)}, "", `{}`, nil, false},
		{[]*openapi.Parameter{free, named("x", typed("string"))}, "x=1", `{"x":"1"}`, nil, true},
	} {
		read := serialize.ReadParameters("/", row.list, serialize.Encoded{Path: "/", Query: row.query})
		assert.Equal(t, row.want, read.Values.Get("query").String(), row.query)
		assert.Equal(t, row.unknown, read.Unknown)
		assert.Equal(t, row.ambiguous, read.Ambiguous)
	}
}

func TestAPathIsMatchedByteForByteWithItsTemplate(t *testing.T) {
	id := &openapi.Parameter{Name: "id", In: "path", Style: "simple", Schema: typed("integer")}
	a := &openapi.Parameter{Name: "a", In: "path", Style: "simple", Schema: typed("string")}
	b := &openapi.Parameter{Name: "b", In: "path", Style: "simple", Schema: typed("string")}
	for _, row := range []struct {
		template, path, want        string
		ambiguous, reason, mismatch bool
	}{
		{"/x/{id}.json", "/x/5.json", `{"id":5}`, false, false, false}, {"/x/{id}.json", "/x/5%2Ejson", `{"id":5}`, false, false, false},
		{"/x/{id}.json", "/x/.json", `{}`, false, false, true}, {"/x/{id}.json", "/x/5.xml", `{}`, false, false, true}, {"/x/{id}", "/x/", `{}`, false, false, true},
		{"/x/{id}", "/x/5/", `{}`, false, false, true}, {"/x/{id}", "/y/5", `{}`, false, false, true}, {"/x({id})", "/x(5)", `{"id":5}`, false, false, false},
		{"/%78/{id}", "/x/5", `{"id":5}`, false, false, false}, {"/x y/{id}", "/x%20y/5", `{"id":5}`, false, false, false}, {"/{id}", "/%35", `{"id":5}`, false, false, false},
		{"/{a}-{b}", "/x-y", `{"a":"x","b":"y"}`, false, false, false}, {"/{a}-{b}", "/x-y-z", `{"a":"x","b":"y-z"}`, true, true, false}, {"/{a}-{b}", "/x%2Dy-z", `{"a":"x","b":"y-z"}`, true, true, false},
		{"/{a}{b}", "/xy", `{"a":"x","b":"y"}`, false, false, false}, {"/{a}{b}", "/xyz", `{"a":"x","b":"yz"}`, true, true, false}, {"/{a}/{b}", "/x%2Fy/z", `{"a":"x/y","b":"z"}`, false, true, false},
		{"/{a}", "/%2e", `{"a":"."}`, false, true, false}, {"/{a}", "/..", `{"a":".."}`, false, true, false}, {"/{a}", "/a.b", `{"a":"a.b"}`, false, false, false}, {"/{a}", "/%00", `{"a":"\u0000"}`, false, true, false},
		{"/{a}", "/a;b=c", `{"a":"a;b=c"}`, false, true, false}, {"/{a}", "/a%3Bb", `{"a":"a;b"}`, false, true, false}, {"/{a}", "/a%25b", `{"a":"a%b"}`, false, true, false}, {"/{a}", "/a+b", `{"a":"a+b"}`, false, false, false}, {"/{a}/{a}", "/x/x", `{"a":"x"}`, false, false, false}, {"/{a}/{a}", "/x/y", `{"a":"x"}`, false, true, false},
	} {
		read := serialize.ReadParameters(row.template, []*openapi.Parameter{id, a, b}, serialize.Encoded{Path: row.path})
		assert.Equal(t, row.want, read.Values.Get("path").String(), row.path)
		assert.Equal(t, []bool{row.ambiguous, row.reason, row.mismatch}, []bool{read.Ambiguous, len(read.Reasons) > 0, read.Mismatch}, "%s %s %v", row.template, row.path, read.Reasons)
	}
}

// A widely used server library decodes a path before it splits it.
func TestASeparatorInsideAValueOfAPathMaySplitIt(t *testing.T) {
	for _, row := range []struct {
		style   string
		explode bool
		schema  *schema.Schema
		path    string
		want    string
	}{
		{"label", true, typed("string"), "/.a.b", `"a.b"`}, {"label", false, typed("string"), "/.a%2Cb", `"a,b"`}, {"matrix", false, typed("string"), "/;a=b%2Cc", `"b,c"`}, {"matrix", true, typed("string"), "/;a=b%3Bc", `"b;c"`},
		{"simple", false, listOf(typed("string")), "/a%2Cb,c", `["a,b","c"]`}, {"simple", true, objectOf(), "/a=b%3Dc", `{"a":"b=c"}`}, {"matrix", true, objectOf(), "/;a=b%3Dc", `{"a":"b=c"}`}, {"label", false, listOf(typed("string")), "/.a,b", `["a","b"]`},
	} {
		p := &openapi.Parameter{Name: "a", In: "path", Style: row.style, Explode: row.explode, Schema: row.schema}
		read := serialize.ReadParameters("/{a}", []*openapi.Parameter{p}, serialize.Encoded{Path: row.path})
		assert.Equal(t, row.want, read.Values.At("/path/a").String(), row.path)
		assert.True(t, read.Ambiguous, row.path)
		assert.NotEmpty(t, read.Reasons)
	}
}

func TestHeadersAndCookiesAreReadAsTheyStand(t *testing.T) {
	header, items := param("header", typed("string")), param("header", listOf(typed("integer")))
	for value, want := range map[string]string{"b c": `"b c"`, " b\t": `"b"`, "": `""`} {
		read := serialize.ReadParameters("/", []*openapi.Parameter{header}, serialize.Encoded{Path: "/", Header: []exchange.Field{{Name: "A", Value: value}, {Name: "Other", Value: "1"}}})
		assert.Equal(t, want, read.Values.At("/header/a").String())
		assert.Empty(t, read.Reasons)
		assert.Empty(t, read.Unknown, "a header that no parameter has means nothing")
	}
	for value, what := range map[string]string{"1, 2": "blanks at a comma", "1,%32": "percent-encoding in a header", "1,\xe9": "a character that a header does not have"} {
		read := serialize.ReadParameters("/", []*openapi.Parameter{items}, serialize.Encoded{Path: "/", Header: []exchange.Field{{Name: "a", Value: value}}})
		assert.Contains(t, read.Reasons[0].What, what)
	}
	read := serialize.ReadParameters("/", []*openapi.Parameter{header}, serialize.Encoded{Path: "/", Header: []exchange.Field{{Name: "a", Value: "1"}, {Name: "a", Value: "2"}}})
	assert.Equal(t, map[string]string{"/header/a": "twice"}, reasons(read))
	cookie := param("cookie", typed("string"))
	for pair, what := range map[string]string{"a=%41": "percent-encoding in a cookie", "a=\"b\"": "a character that a cookie does not have", "a": `name without "="`, "a=b=": ""} {
		read := serialize.ReadParameters("/", []*openapi.Parameter{cookie}, serialize.Encoded{Path: "/", Cookie: []string{pair, "other=1"}})
		assert.Equal(t, what, reasons(read)["/cookie/a"], pair)
		assert.Equal(t, []string{"/cookie/other"}, read.Unknown)
	}
}

func TestWhatHasNoTextIsAnErrorOfOneLine(t *testing.T) {
	style := func(p *openapi.Parameter, name string, explode bool) *openapi.Parameter {
		p.Style, p.Explode = name, explode
		return p
	}
	anything := &schema.Schema{}
	for _, row := range []struct {
		p    *openapi.Parameter
		json string
	}{
		{param("path", anything), `null`}, {param("path", anything), `""`}, {param("path", anything), `"."`}, {param("path", anything), `".."`}, {param("path", anything), `[]`}, {param("path", anything), `[[1]]`},
		{style(param("path", anything), "label", true), `["a.b"]`}, {style(param("path", anything), "form", true), `1`},
		{param("query", anything), `null`}, {param("query", anything), `[null]`}, {param("query", anything), `{"a":{}}`}, {style(param("query", anything), "simple", true), `1`},
		{style(param("query", anything), "deepObject", true), `1`}, {style(param("query", anything), "deepObject", true), `{"a]":1}`}, {style(param("query", anything), "deepObject", true), `{"b":[1]}`},
		{style(param("query", anything), "spaceDelimited", false), `["a b"]`}, {style(param("query", anything), "pipeDelimited", false), `["a|b"]`},
		{param("header", anything), `"a\r\nb"`}, {param("header", anything), `"\u0000"`}, {param("header", anything), `"é"`}, {param("header", anything), `" a"`}, {param("header", anything), `["a,b"]`}, {param("header", anything), `["a "]`},
		{style(param("header", anything), "simple", true), `{"a=":1}`}, {param("cookie", anything), `{"a=":1}`}, {param("cookie", anything), `{"":1}`}, {param("cookie", anything), `null`}, {style(param("cookie", anything), "cookie", true), `"a b"`}, {style(param("cookie", anything), "cookie", false), `["a,b"]`},
	} {
		values := jsontree.NewObject(jsontree.M(row.p.In, jsontree.NewObject(jsontree.M("a", tree(t, row.json)))))
		template := "/"
		if row.p.In == "path" {
			template = "/{a}"
		}
		_, err := serialize.WriteParameters(template, []*openapi.Parameter{row.p}, values)
		require.Error(t, err, "%s %s", row.p.In, row.json)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := serialize.WriteParameters("/{b}", nil, tree(t, `{"path":{"a":1,"b":2}}`))
	assert.ErrorContains(t, err, "has no {a}")
	_, err = serialize.WriteParameters("/{b}", nil, tree(t, `{}`))
	assert.ErrorContains(t, err, `path parameter "b"`)
}

func TestAHeaderWhoseNameCannotBeSentIsAnError(t *testing.T) {
	_, err := serialize.WriteParameters("/", nil, tree(t, `{"header":{"X-\u200bA":"1"}}`))
	assert.ErrorContains(t, err, "token")
}

func TestReservedCharactersStayOnlyWhereTheyMeanNothing(t *testing.T) {
	for json, want := range map[string]string{`"a/b?c:d,e=f"`: "a=a/b?c:d,e=f", `"a&b#c+d;e%20[f]"`: "a=a%26b%23c%2Bd%3Be%2520%5Bf%5D", `["a,b","c/d"]`: "a=a%2Cb,c/d", `{"k":"a=b"}`: "a=k,a%3Db"} {
		p := param("query", &schema.Schema{})
		p.Explode, p.AllowReserved = false, true
		got, err := serialize.WriteParameters("/", []*openapi.Parameter{p}, jsontree.NewObject(jsontree.M("query", jsontree.NewObject(jsontree.M("a", tree(t, json))))))
		require.NoError(t, err)
		assert.Equal(t, want, got.Query)
	}
}

func TestMembersWithoutAParameterAreWrittenByTheDefaultStyle(t *testing.T) {
	got, err := serialize.WriteParameters("/é/%41", nil, tree(t, `{"query":{"a b":[1,"x&y"],"o":{"k":true}},"header":{"X-A":[1,2]},"cookie":{"s":"é"}}`))
	require.NoError(t, err)
	assert.Equal(t, serialize.Encoded{Path: "/%C3%A9/%41", Query: "a%20b=1&a%20b=x%26y&k=true", Header: []exchange.Field{{Name: "X-A", Value: "1,2"}}, Cookie: []string{"s=%C3%A9"}}, got)
}
