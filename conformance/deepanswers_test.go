package conformance_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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
