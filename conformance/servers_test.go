package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

func TestATargetWithoutThePathOfAllServersGetsAWarning(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	defer s.Close()
	reach := func(c conformance.Config) []string {
		var lines []string
		c.SpecName, c.Spec = "d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, servers: [{url: 'https://h/api/v2'}], paths: {/a: {get: {responses: {"200": {description: d}}}}}}`)
		c.Warn = func(line string) { lines = append(lines, line) }
		_, err := conformance.Reach(t.Context(), c)
		require.NoError(t, err)
		return lines
	}
	for path, want := range map[string]string{
		"": "/api/v2", "/": "/api/v2", "/api": "/api/v2", "/proxy": "/proxy/api/v2", "/proxy/api": "/proxy/api/v2", "/v2": "/v2/api/v2",
		"/api/v2": "", "/api/v2/": "", "/proxy/api/v2": "", "/api/v2/b": "", "/api/v20": "/api/v20/api/v2",
	} {
		lines := reach(conformance.Config{Target: s.URL + path})
		if want == "" {
			assert.Empty(t, lines, path)
			continue
		}
		assert.Equal(t, []string{"all servers of the document have the path /api/v2, and the target does not: if yours has it, use --target " + s.URL + want}, lines, path)
	}
	assert.Empty(t, reach(conformance.Config{Target: s.URL, Embedded: true}), "who started the target knows its path")
}
