package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// failedOn returns the requirements that a target fails, those of which a MUST fails alone.
func failedOn(t *testing.T, spec string, serve http.HandlerFunc) []string {
	t.Helper()
	return failedAt(t, "smoke", spec, serve)
}

func failedAt(t *testing.T, effort, spec string, serve http.HandlerFunc) []string {
	t.Helper()
	server := httptest.NewServer(serve)
	defer server.Close()
	got, err := conformance.Run(t.Context(), conformance.Config{Target: server.URL, Spec: []byte(spec), Effort: effort})
	require.NoError(t, err)
	out := []string{}
	for _, r := range got.Results {
		if r.Verdict == report.Fail && r.Level == report.Must {
			out = append(out, r.Requirement)
		}
	}
	return out
}

// Requirements about single members end at the eighth level.
func TestAWrongValueIsFoundHoweverDeepInAnAnswerItIs(t *testing.T) {
	t.Parallel()
	schema, body := `{type: object, required: [end], properties: {end: {type: integer}}}`, `{"end":%s}`
	for range 12 {
		schema, body = `{type: object, required: [in], properties: {in: `+schema+`}}`, `{"in":`+body+`}`
	}
	recursive := `{"name":"a","next":{"name":"b","next":{"name":"c","next":{"name":"d","next":{"name":%s}}}}}`
	for spec, answers := range map[string]map[string]string{
		deepAnswer(schema): {body: "7", strings.Replace(body, "end", "other", 1): ""},
		deepAnswer(`{$ref: "#/components/schemas/Node"}`) + "components: {schemas: {Node: {type: object, required: [name], properties: {name: {type: string}, next: {$ref: '#/components/schemas/Node'}}}}}\n": {recursive: `"e"`},
	} {
		for format, right := range answers {
			serve := func(value string) http.HandlerFunc {
				return func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, format, value)
				}
			}
			if right != "" {
				assert.Empty(t, failedOn(t, spec, serve(right)))
			}
			assert.Equal(t, []string{deeper(spec)}, failedOn(t, spec, serve("null")), format)
		}
	}
}

func deepAnswer(schema string) string {
	return "openapi: 3.1.0\ninfo: {title: Deep, version: '1'}\npaths:\n  /deep:\n    get:\n      responses: {'200': {description: ok, content: {application/json: {schema: " + schema + "}}}}\n"
}

func deeper(spec string) string {
	if strings.Contains(spec, "Node") {
		return "node-deeper"
	}
	return "get-deep-200-body-deeper"
}

// Only one element of a list is wrong, a later one or the last of many.
func TestANullForARequiredMemberIsFoundInAnyElementOfAList(t *testing.T) {
	t.Parallel()
	spec := deepAnswer(`{type: object, required: [items], properties: {items: {type: array, items: {type: object, required: [sub], properties: {sub: ` +
		`{type: array, items: {type: object, required: [a], properties: {a: {type: string}, n: {type: [string, "null"]}}}}}}}}}`)
	answer := func(size, wrong int) string {
		items := slices.Repeat([]string{`{"sub":[{"a":"x","n":null},{"a":"y"}]}`}, size)
		if wrong >= 0 {
			items[wrong] = `{"sub":[{"a":"x","n":null},{"a":null}]}`
		}
		return `{"items":[` + strings.Join(items, ",") + "]}"
	}
	for size, wrong := range map[int]int{2: -1, 3: 1, 1200: 1199} {
		text := answer(size, wrong)
		failed := failedOn(t, spec, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, text)
		})
		assert.Equal(t, wrong >= 0, slices.Contains(failed, "get-deep-200-body-items-items-sub-items-a-string"), "%d of %d: %s", wrong, size, failed)
	}
}

// largeDocument is a document as generators write them: schemas that refer to
// each other in circles, a page of text for each member, and
// operations on a collection and on its items.
func largeDocument(schemas, members, operations int) []byte {
	var b strings.Builder
	text := strings.Repeat("What this member holds, when it is there, and who may change it. ", 3)
	ref := func(i int) string { return fmt.Sprintf(`{"$ref":"#/components/schemas/Thing%d"}`, i%schemas) }
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"Large","version":"1"},"components":{"schemas":{`)
	for i := range schemas {
		fmt.Fprintf(&b, `"Thing%d":{"type":"object","required":["id","name"],"properties":{`, i)
		b.WriteString(`"id":{"type":"integer","format":"int64"},"name":{"type":"string","maxLength":100}`)
		for k := range members - 2 {
			to := ref(i*7 + k*13 + 1)
			member := [...]string{to, `{"type":"array","items":` + to + `}`, `{"allOf":[` + to + `]}`, `{"oneOf":[` + to + `,{"type":"string"}]}`,
				`{"type":"string","enum":["a","b"],"description":"` + text + `"}`, `{"type":"object","additionalProperties":` + to + `}`}[k%6]
			fmt.Fprintf(&b, `,"member%d":%s`, k, member)
		}
		fmt.Fprintf(&b, `},"description":%q},`, strings.Repeat(text, 20))
	}
	b.WriteString(`"Error":{"type":"object"}}},"paths":{`)
	for i := range operations {
		content := `"content":{"application/json":{"schema":` + ref(i) + `}}`
		answers := `"responses":{"200":{"description":"taken",` + content + `}}`
		byID := `{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],` + answers + `}`
		fmt.Fprintf(&b, `"/things%d":{"post":{"requestBody":{"required":true,%s},%s}},"/things%d/{id}":{"get":%s,"delete":%s}`,
			i, content, answers, i, byID, byID)
		if i < operations-1 {
			b.WriteByte(',')
		}
	}
	b.WriteString("}}")
	return []byte(b.String())
}

// Every operation of a large document is tried with about as many requests as one of
// a small document, and what is left out is told by name.
func TestEveryOperationOfALargeDocumentHasCasesAndWhatIsLeftOutIsNamed(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const operations = 10
	document := largeDocument(200, 20, operations)
	require.Greater(t, len(document), 1<<19)
	got, err := conformance.List(t.Context(), conformance.Config{Spec: document, SpecName: "large.json", Effort: "smoke"})
	require.NoError(t, err)

	assert.LessOrEqual(t, got.Cases, 3*operations*30)
	assert.Contains(t, strings.Join(got.LeftOut, "\n"), "the schema goes deeper than it is tried")
	tried := map[string]bool{}
	for _, r := range got.Requirements {
		if r.Cases > 0 {
			tried[strings.Join(strings.SplitN(r.Requirement, "-", 3)[:2], "-")] = true
		}
	}
	for i := range operations {
		for _, method := range []string{"get", "post", "delete"} {
			assert.True(t, tried[fmt.Sprintf("%s-things%d", method, i)], "%s of %d has no case at all", method, i)
		}
	}
}

// gates are three operations that want a key.
const gates = `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "security": [{"key": []}],
	"components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
		"schemas": {"New": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}, "size": {"type": "integer", "minimum": 1}}}},
		"responses": {"Done": {"description": "done"}}},
	"paths": {
		"/north": {"post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}}, "responses": {"200": {"$ref": "#/components/responses/Done"}, "400": {"$ref": "#/components/responses/Done"}}}},
		"/south": {"post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}}, "responses": {"200": {"$ref": "#/components/responses/Done"}, "400": {"$ref": "#/components/responses/Done"}}}},
		"/east": {"get": {"parameters": [{"name": "size", "in": "query", "schema": {"type": "integer", "minimum": 1}}], "responses": {"200": {"$ref": "#/components/responses/Done"}, "400": {"$ref": "#/components/responses/Done"}}}}}}`

// TestEveryOperationHasItsShareBeforeAnyHasMore: its baseline, a violation and a request without
// a credential come before a second class of a mutator, whatever the operation.
func TestEveryOperationHasItsShareBeforeAnyHasMore(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	var mu sync.Mutex
	var order []string
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if id := r.Header.Get("X-Conformance-Case"); strings.Count(id, "/") > 2 {
			order = append(order, id)
		}
		if r.Header.Get("Authorization") != "Bearer right-token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
	})
	accepting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := r.Header.Get("X-Conformance-Case"); r.Header.Get("Authorization") == "Bearer right-token" && !strings.Contains(id, "/invalid/") && !strings.Contains(id, "/not-json/") {
			mu.Lock()
			order = append(order, id)
			mu.Unlock()
			return
		}
		serve(w, r)
	})
	judgeServer(t, accepting, conformance.Config{Spec: []byte(gates), Auth: map[string]string{"key": "right-token"}, NameCases: true, Workers: 1, Draws: -1, Effort: "gate"})
	// share is where the last operation has its first case of a kind.
	share := func(kind string) int {
		last := 0
		for _, op := range []string{"post-north", "post-south", "get-east"} {
			at := -1
			for i, id := range order {
				if strings.HasPrefix(id, op+kind) {
					at = i
					break
				}
			}
			require.GreaterOrEqual(t, at, 0, op+kind)
			last = max(last, at)
		}
		return last
	}
	seen, second := map[string]bool{}, len(order)
	for i, id := range order {
		parts := strings.Split(id, "/")
		if len(parts) < 5 || strings.Contains(id, "/sequence/") {
			continue
		}
		kind := strings.Join(parts[:3], "/")
		if seen[kind] && !strings.Contains(id, "/pauses/") {
			second = i
			break
		}
		seen[kind] = true
	}
	for _, kind := range []string{"/valid/baseline/", "/invalid/", "/credential/credentials/absent/"} {
		assert.Less(t, share(kind), second, "%s: %q is a second case of its kind", kind, order[second])
	}
	assert.Greater(t, share("/credential/credentials/wrong-invalid/"), second, "those that a target may count stay last")
}
