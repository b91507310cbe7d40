package serialize_test

import (
	"testing"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// Whatever was read without a reason is written and read as the same value: a value
// has one meaning on the wire.
func FuzzWhatIsReadWithoutReasonsIsOneValue(f *testing.F) {
	f.Add("/a/1-x.json", "q=1&r=a,b&s=%7C&t%5Bb%5D=1&x=2", "1, 2", "c=1", uint8(3))
	f.Add("/a/;p=1;p=2-.b.json", "q=+1&q&&=", "a=1,b=2", "c=\"é\"", uint8(0xff))
	f.Add("/a/%2e-%.json", "q=%&t[b][c]=1&u=%00", "", "c", uint8(0x55))
	f.Fuzz(func(t *testing.T, path, query, header, cookie string, choice uint8) {
		schemas := []*openapi.Schema{schema("integer"), listOf(schema("integer")), schema("string"), listOf(schema("string")), objectOf(property("b", schema("boolean"))), nil,
			schema("array", "string"), {OneOf: []*openapi.Schema{schema("null"), schema("object"), schema("number")}}}
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
