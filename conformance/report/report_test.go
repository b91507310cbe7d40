package report_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestFailureIsFoundByItsNumber(t *testing.T) {
	r := &report.Report{Results: []report.Result{
		{Failures: []report.Failure{{N: 2, Case: "b"}, {N: 3, Case: "c"}}},
		{Failures: []report.Failure{{N: 1, Case: "a"}}},
	}}
	for n, want := range []string{"", "a", "b", "c", ""} {
		f, found := r.Failure(n)
		assert.Equal(t, want, f.Case)
		assert.Equal(t, want != "", found)
	}
}

var update = flag.Bool("update", false, "write report.schema.json anew")

// TestTheSchemaIsThatOfTheTypes: the types and their comments are the source of the
// published schema, so that a new member cannot be left out of it.
func TestTheSchemaIsThatOfTheTypes(t *testing.T) {
	want := drawn(t)
	if *update {
		require.NoError(t, os.WriteFile("report.schema.json", []byte(want), 0o666))
	}
	got, err := os.ReadFile("report.schema.json")
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "write it anew: go test ./conformance/report -run Schema -update")
	assert.NotEmpty(t, report.Schema())
}

// object is an object of JSON with its members in order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSONTo implements json.MarshalerTo.
func (o object) MarshalJSONTo(out *jsontext.Encoder) error {
	if err := out.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := out.WriteToken(jsontext.String(m.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(out, m.value); err != nil {
			return err
		}
	}
	return out.WriteToken(jsontext.EndObject)
}

// drawing makes a schema of the source of a package.
type drawing struct {
	types map[string]*doc.Type
	defs  map[string]object
	order []string
}

func drawn(t *testing.T) string {
	t.Helper()
	files := token.NewFileSet()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var list []*ast.File
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			f, err := parser.ParseFile(files, e.Name(), nil, parser.ParseComments)
			require.NoError(t, err)
			list = append(list, f)
		}
	}
	p, err := doc.NewFromFiles(files, list, "plantstore/conformance/report")
	require.NoError(t, err)
	d := &drawing{types: map[string]*doc.Type{}, defs: map[string]object{}}
	for _, typ := range p.Types {
		d.types[typ.Name] = typ
	}
	root := d.named("Report")
	var defs object
	for _, name := range d.order {
		defs = append(defs, member{name, d.defs[name]})
	}
	out, err := json.Marshal(append(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "Report of a conformance run, version " + strconv.Itoa(report.Version)},
	}, append(root, member{"$defs", defs})...), jsontext.WithIndent("  "))
	require.NoError(t, err)
	return string(out) + "\n"
}

// named is the schema of a type of the package; only structs are shared.
func (d *drawing) named(name string) object {
	if name == "Bytes" {
		text := object{{"type", "string"}}
		return object{{"type", "object"}, {"properties", object{{"text", text}, {"base64", append(text, member{"contentEncoding", "base64"})}, {"cut", integer(0)}}},
			{"oneOf", []object{{{"required", []string{"text"}}}, {{"required", []string{"base64"}}}}}, {"additionalProperties", false}}
	}
	if _, done := d.defs[name]; !done {
		d.defs[name] = nil // for types that contain themselves
		d.order = append(d.order, name)
		d.defs[name] = d.schema(name)
	}
	return object{{"$ref", "#/$defs/" + name}}
}

func (d *drawing) schema(name string) object {
	typ := d.types[name]
	out := object{{"description", sentence(typ.Doc)}}
	spec := typ.Decl.Specs[0].(*ast.TypeSpec)
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		var words []string
		for _, group := range typ.Consts {
			for _, c := range group.Decl.Specs {
				word, _ := strconv.Unquote(c.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
				words = append(words, word)
			}
		}
		return append(out, member{"type", "string"}, member{"enum", words})
	}
	properties, required := d.members(s)
	return append(out, member{"type", "object"}, member{"properties", properties}, member{"required", required}, member{"additionalProperties", false})
}

func (d *drawing) members(s *ast.StructType) (properties object, required []string) {
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 {
			inner := d.types[f.Type.(*ast.Ident).Name].Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
			p, r := d.members(inner)
			properties, required = append(properties, p...), append(required, r...)
			continue
		}
		tag, _ := strconv.Unquote(f.Tag.Value)
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
		value := d.value(f.Type)
		if text := sentence(f.Doc.Text() + f.Comment.Text()); text != "" {
			value = append(object{{"description", text}}, value...)
		}
		properties = append(properties, member{name, value})
	}
	return properties, required
}

func (d *drawing) value(e ast.Expr) object {
	switch e := e.(type) {
	case *ast.StarExpr:
		return d.value(e.X)
	case *ast.ArrayType:
		return object{{"type", "array"}, {"items", d.value(e.Elt)}}
	case *ast.SelectorExpr:
		if e.Sel.Name == "Time" {
			return object{{"type", "string"}, {"format", "date-time"}}
		}
		return integer(0) // a duration in nanoseconds
	case *ast.MapType:
		return object{{"type", "object"}, {"additionalProperties", d.value(e.Value)}}
	}
	switch name := e.(*ast.Ident).Name; name {
	case "string":
		return object{{"type", "string"}}
	case "bool":
		return object{{"type", "boolean"}}
	case "int", "uint64", "int64", "uint":
		return integer(0)
	case "float64":
		return object{{"type", "number"}}
	default:
		return d.named(name)
	}
}

func integer(minimum int) object { return object{{"type", "integer"}, {"minimum", minimum}} }

func sentence(doc string) string { return strings.Join(strings.Fields(doc), " ") }

// A part of a report, as conformance run --report json=report.json writes it.
const written = `{
  "version": 1,
  "header": {"target": "http://localhost:8080", "seed": 1},
  "results": [
    {"requirement": "post-plants-answered", "level": "MUST", "verdict": "pass"},
    {"requirement": "newplant-id-integer", "level": "MUST", "verdict": "fail", "failures": [
      {"n": 1, "sent": "/id = \"2\"", "expected": "400 with an Error", "got": "200 OK, a Plant"}]}
  ],
  "summary": {"verdict": "not conformant", "failed": 1}
}`

func Example() {
	r, err := formats.ReadJSON([]byte(written))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Header.Target, "is", r.Summary.Verdict)
	for _, result := range r.Results {
		if result.Verdict == report.Fail {
			fmt.Println(result.Level, result.Requirement)
		}
	}
	// Output:
	// http://localhost:8080 is not conformant
	// MUST newplant-id-integer
}

func ExampleReport_Failure() {
	r, err := formats.ReadJSON([]byte(written))
	if err != nil {
		fmt.Println(err)
		return
	}
	if f, found := r.Failure(1); found {
		fmt.Printf("sent %s; expected %s; got %s\n", f.Sent, f.Expected, f.Got)
	}
	// Output:
	// sent /id = "2"; expected 400 with an Error; got 200 OK, a Plant
}
