package conformance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/sample"
)

// oddNames are member names that a slug, a pointer or a URI fragment may
// stumble over.
var oddNames = []string{"", " ", "a ", " a", "/", "~", "~1", "#", "%", "%2F", "%zz", "a/b", "a~b", "a#b", "a.b", "*", "-", "_", "0", "1",
	"body", "encoding", "transport", "nesting", "number", "duplicate", "byte-order-mark", "name-with-lone-high-surrogate", "member", "empty",
	"\x00", "\x01\x1f", "\n", "\u2028", "\u202e", "é", "e\u0301", "名", "植物", "🌱", "__proto__", "constructor", "toString", "$ref", "type", "properties",
	"enum", "const", "default", "example", "items", "a-2", "a", "A", "b", "id", "name", "tag", strings.Repeat("x", 10_000), strings.Repeat("x", 9_999) + "y"}

// drawn writes documents at random, with odd names, keywords and nesting. All of
// them are OpenAPI.
type drawn struct{ *rand.Rand }

func (d drawn) pick(list []string) string { return list[d.IntN(len(list))] }

// document gives the text of a document.
func (d drawn) document() []byte {
	schemas, paths := jsontree.NewObject(), jsontree.NewObject()
	for i := range 1 + d.IntN(5) {
		schemas.Set(fmt.Sprintf("S%d", i), d.schema(0))
	}
	for i := range 1 + d.IntN(3) {
		path := d.pick([]string{"/a-b", "/a/b", "/A-b", "/", "/a", "/x.y", fmt.Sprintf("/p%d", i)})
		paths.Set(path, object("post", object(
			"requestBody", object("required", d.boolean(), "content", content(d.schema(0))),
			"responses", object(d.pick([]string{"200", "2XX", "201", "default"}), object("description", str("taken"), "content", content(d.schema(0))),
				"4XX", object("description", str("refused"))))))
	}
	return object("openapi", str(d.pick([]string{"3.0.3", "3.1.0"})), "info", object("title", str("t"), "version", str("1")),
		"paths", paths, "components", object("schemas", schemas)).Emit()
}

func str(s string) *jsontree.Value { return jsontree.NewString(s) }

func object(pairs ...any) *jsontree.Value {
	v := jsontree.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i].(string), pairs[i+1].(*jsontree.Value))
	}
	return v
}

func content(schema *jsontree.Value) *jsontree.Value {
	return object("application/json", object("schema", schema))
}

func (d drawn) boolean() *jsontree.Value { return jsontree.NewBool(d.IntN(2) == 0) }

func (d drawn) number() *jsontree.Value {
	return jsontree.NewNumber(d.pick([]string{"0", "-0", "1", "-1", "2", "3", "0.5", "1e2", "1e400", "-1e400", "1e-400", "1e999999999", "9223372036854775807",
		"9223372036854775808", "0.1", "123456789012345678901234567890", "1.0", strings.Repeat("9", 5000)}))
}

func (d drawn) count() *jsontree.Value {
	return jsontree.NewNumber(d.pick([]string{"0", "1", "2", "3", "7", "50", "300", "1000", "100000", "2147483648", "9223372036854775808", "1e3", "2.0"}))
}

func (d drawn) value(depth int) *jsontree.Value {
	switch n := d.IntN(8); {
	case n == 0:
		return jsontree.NewNull()
	case n == 1:
		return d.boolean()
	case n < 4:
		return d.number()
	case n < 6 || depth > 2:
		return str(d.pick(oddNames))
	case n == 6:
		return jsontree.NewArray(d.value(depth+1), d.value(depth+1))
	}
	v := jsontree.NewObject()
	v.Set(d.pick(oddNames), d.value(depth+1))
	return v
}

func (d drawn) strings() *jsontree.Value {
	v := jsontree.NewArray()
	for i := range 1 + d.IntN(3) {
		if name := d.pick(oddNames); i == 0 || v.Items[0].Text != name && len(v.Items) == 1 {
			v.Items = append(v.Items, str(name))
		}
	}
	return v
}

func (d drawn) list(depth int) *jsontree.Value {
	v := jsontree.NewArray()
	for range 1 + d.IntN(3) {
		v.Items = append(v.Items, d.schema(depth+1))
	}
	return v
}

func (d drawn) named(depth int, names []string) *jsontree.Value {
	v := jsontree.NewObject()
	for range 1 + d.IntN(4) {
		v.Set(d.pick(names), d.schema(depth+1))
	}
	return v
}

var (
	drawnTypes    = []string{"object", "object", "array", "string", "integer", "number", "boolean"}
	drawnPatterns = []string{"", "^a", "^[a-z]+$", "b", "^(a|b)*$", "^\\d{3}$", "^.{0,3}$", "[^a]", "^$", "(ab)*", "^((((ab)*c)*d)*e)*$", "^(?=a)a$", "\\p{L}", "^x-", "^[a-z]{200,}$"}
	drawnFormats  = []string{"", "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid", "regex", "int32", "int64", "json-pointer", "unknown"}
)

// schema draws one with the keywords of its type, and some of others.
func (d drawn) schema(depth int) *jsontree.Value {
	if n := d.IntN(10); n == 0 && depth > 0 || depth > 5 {
		return object("$ref", str("#/components/schemas/S0"))
	}
	s := jsontree.NewObject()
	kind := d.pick(drawnTypes)
	if d.IntN(5) > 0 {
		s.Set("type", str(kind))
	}
	some := func(name string, odds int, make func() *jsontree.Value) {
		if d.IntN(odds) == 0 {
			s.Set(name, make())
		}
	}
	if d.IntN(8) == 0 {
		kind = d.pick(drawnTypes)
	}
	below := func() *jsontree.Value { return d.schema(depth + 1) }
	several := func() *jsontree.Value { return d.list(depth) }
	switch kind {
	case "object":
		some("properties", 1, func() *jsontree.Value { return d.named(depth, oddNames) })
		some("required", 2, d.strings)
		some("additionalProperties", 4, below)
		some("additionalProperties", 4, d.boolean)
		some("patternProperties", 8, func() *jsontree.Value { return d.named(depth, drawnPatterns) })
		some("propertyNames", 12, below)
		some("minProperties", 8, d.count)
		some("maxProperties", 8, d.count)
		some("dependentRequired", 10, func() *jsontree.Value { return object(d.pick(oddNames), d.strings()) })
		some("dependentSchemas", 10, func() *jsontree.Value { return object(d.pick(oddNames), below()) })
		some("unevaluatedProperties", 12, d.boolean)
	case "array":
		some("items", 1, below)
		some("prefixItems", 6, several)
		some("contains", 8, below)
		some("minItems", 4, d.count)
		some("maxItems", 4, d.count)
		some("minContains", 10, d.count)
		some("maxContains", 10, d.count)
		some("uniqueItems", 6, d.boolean)
	case "string":
		some("minLength", 4, d.count)
		some("maxLength", 4, d.count)
		some("pattern", 3, func() *jsontree.Value { return str(d.pick(drawnPatterns)) })
		some("format", 4, func() *jsontree.Value { return str(d.pick(drawnFormats)) })
	default:
		some("minimum", 4, d.number)
		some("maximum", 4, d.number)
		some("exclusiveMinimum", 8, d.number)
		some("multipleOf", 8, func() *jsontree.Value {
			return jsontree.NewNumber(d.pick([]string{"1", "2", "0.1", "1e-9", "3e10", "1e300"}))
		})
		some("format", 6, func() *jsontree.Value { return str(d.pick(drawnFormats)) })
	}
	some("enum", 12, func() *jsontree.Value { return jsontree.NewArray(d.value(0), d.value(0)) })
	some("const", 25, func() *jsontree.Value { return d.value(0) })
	some("default", 12, func() *jsontree.Value { return d.value(0) })
	some("readOnly", 20, d.boolean)
	some("writeOnly", 20, d.boolean)
	some("nullable", 20, d.boolean)
	if depth < 4 {
		some("allOf", 8, several)
		some("anyOf", 8, several)
		some("oneOf", 8, several)
		some("not", 20, below)
		some("if", 20, below)
		some("then", 20, below)
		some("else", 20, below)
	}
	return s
}

// FuzzPlanOfADrawnDocument makes the whole plan of a document with odd names,
// keywords and nesting, and every request of it: never a panic, never an error
// of ours.
func FuzzPlanOfADrawnDocument(f *testing.F) {
	for seed := range uint64(40) {
		if sample.Has(fmt.Sprint("seed ", seed), 4) {
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		document := drawn{rand.New(rand.NewPCG(seed, 1))}.document()
		s, err := prepare(t.Context(), offline(Config{Spec: document, SpecName: "drawn.json", Draws: 4}), false, true)
		if err != nil {
			allowed(t, err, document)
			return
		}
		built(t, s, document)
	})
}

// FuzzListingOfAnyBytes is FuzzPlanOfADrawnDocument for bytes that are anything.
func FuzzListingOfAnyBytes(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(drawn{rand.New(rand.NewPCG(seed, 2))}.document())
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		if len(document) > 1<<16 {
			return
		}
		s, err := prepare(t.Context(), offline(Config{Spec: document, SpecName: "any", Draws: 2}), false, true)
		if err != nil {
			allowed(t, err, document)
			return
		}
		built(t, s, document)
	})
}

// allowed fails a test for what is no mistake of the document: any error must be
// one line about it.
func allowed(t *testing.T, err error, document []byte) {
	t.Helper()
	var setup *SetupError
	if !errors.As(err, &setup) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "drawn.json") && !strings.Contains(err.Error(), "any") {
		t.Fatalf("%v\n%.2000s", err, document)
	}
}

// built makes every request of a plan, and reads it as a run does.
func built(t *testing.T, s *setup, document []byte) {
	t.Helper()
	seen := map[string]bool{}
	for _, k := range s.cases {
		if seen[k.ID] {
			t.Fatalf("two cases are called %.200s\n%.2000s", k.ID, document)
		}
		seen[k.ID] = true
		if k.Draw > 1 {
			continue
		}
		steps := s.plan.Build(k, plan.Identity{Seed: s.config.Seed, Retry: k.Draw})
		for _, step := range steps {
			s.endpoint.Classify(step.Message, s.endpoint.Wire(step.Message, k.ID))
		}
	}
	ids := map[string]bool{}
	for _, r := range s.set.List {
		if r.ID == "" || ids[r.ID] || strings.HasPrefix(r.ID, "-") || strings.HasSuffix(r.ID, "-") {
			t.Fatalf("requirement id %.200q\n%.2000s", r.ID, document)
		}
		ids[r.ID] = true
	}
}
