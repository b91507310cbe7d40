package serialize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

func schema(types ...string) *openapi.Schema { return &openapi.Schema{Types: types} }

func listOf(item *openapi.Schema) *openapi.Schema {
	return &openapi.Schema{Types: []string{"array"}, Items: item}
}

func objectOf(properties ...*openapi.Property) *openapi.Schema {
	return &openapi.Schema{Types: []string{"object"}, Properties: properties}
}

func property(name string, s *openapi.Schema) *openapi.Property {
	return &openapi.Property{Name: name, Schema: s}
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
		schema *openapi.Schema
		json   string
	}{
		{schema("string"), `""`},
		{schema("string"), `"blue"`},
		{listOf(schema("string")), `["blue","black","brown"]`},
		{objectOf(property("R", schema("integer")), property("G", schema("integer")), property("B", schema("integer"))), `{"R":100,"G":200,"B":150}`},
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
