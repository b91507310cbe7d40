package report_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
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

// drawnResults makes results of any shape from numbers.
func drawnResults(numbers []uint16) []report.Result {
	categories := []report.Category{report.Crash, report.Security, report.Loss, report.Answer, report.Refusal, report.Leniency, ""}
	rules := []string{"answered", "refuses-credential", "stored-patched", "answer-schema", "accepted", "refuses-schema", ""}
	tells := []report.Tells{"", report.TellsCredential, "", report.TellsAnswer, report.TellsRequest, report.TellsValue, ""}
	kinds := []string{"type/null", "type/converted", "500/baseline", "500/long-field", "500/value/texts/long", "credential/absent", "minimum"}
	var out []report.Result
	for i, n := range numbers {
		rnd := rand.New(rand.NewPCG(uint64(n), 1))
		r := report.Result{Requirement: fmt.Sprint("r", i), Level: report.Levels()[rnd.IntN(3)], Operation: fmt.Sprint("GET /", rnd.IntN(4)), Verdict: report.Fail, Sentence: "A rule."}
		for k := range rnd.IntN(4) {
			at := rnd.IntN(len(rules))
			r.Failures = append(r.Failures, report.Failure{N: 10*i + k + 1, Sent: fmt.Sprint(rnd.IntN(9)), Flaw: report.Flaw{Category: categories[at], Rule: rules[at], OnePlace: rules[at] == "answer-schema", Tells: tells[at], Kind: kinds[rnd.IntN(len(kinds))],
				Where: []string{"string in body", "integer in query", ""}[rnd.IntN(3)], Said: []string{"", "no such table"}[rnd.IntN(2)], Alike: rnd.IntN(9)}})
			if x := &r.Failures[len(r.Failures)-1].Flaw; strings.Contains(x.Kind, "/value/") {
				x.Tried = []string{"/a", "/b"}[rnd.IntN(2)]
			}
		}
		out = append(out, r)
	}
	return out
}

func TestFindingsDoNotDependOnTheOrderAndHoldEveryFailure(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("any order", prop.ForAll(func(numbers []uint16) bool {
		results := drawnResults(numbers)
		want := report.Findings(results)
		members, in := 0, map[string]bool{}
		for _, f := range want {
			members += len(f.Members)
			for _, id := range f.Requirements {
				in[id] = true
			}
		}
		failures := 0
		for _, r := range results {
			failures += max(1, len(r.Failures))
			if !in[r.Requirement] {
				return false
			}
		}
		rand.New(rand.NewPCG(2, 3)).Shuffle(len(results), func(a, b int) { results[a], results[b] = results[b], results[a] })
		return members == failures && assert.ObjectsAreEqual(want, report.Findings(results))
	}, gen.SliceOf(gen.UInt16())))
	properties.TestingRun(t)
}

func TestNoTwoFindingsHaveOneID(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("ids", prop.ForAll(func(numbers []uint16) bool {
		var ids []string
		for _, f := range report.Findings(drawnResults(numbers)) {
			ids = append(ids, f.ID)
		}
		slices.Sort(ids)
		return len(ids) == len(slices.Compact(ids))
	}, gen.SliceOf(gen.UInt16())))
	properties.TestingRun(t)
}

// in returns the id of the finding that has a failure, by its number.
func in(t *testing.T, list []report.Finding, n int) string {
	for _, f := range list {
		if slices.ContainsFunc(f.Members, func(m report.Member) bool { return m.N == n }) {
			return f.ID
		}
	}
	require.Fail(t, "no finding has the failure")
	return ""
}

// kind is the part of an id that says which kind of fault it is.
func kind(id string) string {
	kind, _, _ := strings.Cut(id, "-")
	return kind
}

func TestTheIDOfAFindingStaysIfFailuresVanish(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("ids", prop.ForAll(func(numbers []uint16, drop uint16) bool {
		results := drawnResults(numbers)
		was := report.Findings(results)
		rnd := rand.New(rand.NewPCG(uint64(drop), 4))
		for i := range results {
			results[i].Failures = slices.DeleteFunc(results[i].Failures, func(report.Failure) bool { return rnd.IntN(2) == 0 })
			if len(results[i].Failures) == 0 {
				results[i].Verdict = report.Pass
			}
		}
		for _, f := range report.Findings(results) {
			for _, m := range f.Members {
				if kind(in(t, was, m.N)) != kind(f.ID) {
					return false
				}
			}
		}
		return true
	}, gen.SliceOf(gen.UInt16()), gen.UInt16()))
	properties.TestingRun(t)
}

func TestAFaultThatBecomesOneOfManyPlacesKeepsItsKind(t *testing.T) {
	list := []report.Result{fails("a", "POST /a", leniency("minimum", "integer in body"))}
	one := report.Findings(list)[0].ID
	for i := range 9 {
		list = append(list, fails(fmt.Sprint("b", i), "POST /b", leniency("minimum", "integer in body")))
	}
	many := report.Findings(list)
	require.Len(t, many, 1)
	assert.True(t, report.Kin(one, many[0].ID))
	assert.Equal(t, many[0].ID, report.Findings(list[3:])[0].ID, "the places of some are enough")
	other := report.Findings([]report.Result{fails("c", "POST /c", leniency("minimum", "integer in body"))})[0].ID
	assert.False(t, report.Kin(one, other), "%s %s", one, other)
	assert.True(t, report.Kin(other, many[0].ID))
}

func TestTheIDHasNothingOfTheValuesThatWereDrawn(t *testing.T) {
	crash := func(said, words string) string {
		return report.Findings([]report.Result{fails("a", "GET /a", report.Flaw{Category: report.Crash, Rule: "answered", Kind: "500/type/null", Said: said, Words: words})})[0].ID
	}
	assert.Equal(t, crash("KeyError: 'bcd'", "KeyError: …"), crash("KeyError: 'xyz'", "KeyError: …"))
	assert.NotEqual(t, crash("KeyError: 'bcd'", "KeyError: …"), crash("TypeError: 'bcd'", "TypeError: …"))
}
