package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// failedOn returns the requirements that a target fails, those of which a MUST fails alone.
func failedOn(t *testing.T, spec string, serve http.HandlerFunc) []string {
	t.Helper()
	server := httptest.NewServer(serve)
	defer server.Close()
	got, err := conformance.Run(t.Context(), conformance.Config{Target: server.URL, Spec: []byte(spec), Effort: "smoke"})
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
