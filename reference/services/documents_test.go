package services_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services"
)

// judged runs the suite with nothing but the document.
func judged(t *testing.T, document string, h http.Handler, skip ...string) *report.Report {
	t.Helper()
	sample.OneIn(t, oneIn)
	spec, err := os.ReadFile("../../testdata/openapi/" + document)
	require.NoError(t, err)
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Token: services.Key,
		Spec: spec, SpecName: document, Draws: -1, Effort: "full", Skip: skip, Cache: shared, AllowDisruptive: true}) // readings are deleted all together
	require.NoError(t, err)
	return r
}

// shown is the report as people see it.
func shown(t *testing.T, r *report.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, formats.Text(&b, r, formats.Options{}))
	return b.String()
}

// tripped lists the failed requirements.
func tripped(r *report.Report) []string {
	var out []string
	for _, x := range r.Results {
		if x.Verdict == report.Fail {
			out = append(out, x.Requirement)
		}
	}
	return out
}

func TestRightServersAreConformantByTheirDocumentAlone(t *testing.T) {
	t.Parallel()
	for document, handler := range map[string]func(string) http.Handler{
		"orders.yaml":   services.Orders,
		"readings.yaml": services.Readings,
		"desk.yaml":     services.Desk,
		"parcels.yaml":  services.Parcels,
	} {
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			r := judged(t, document, handler(""))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			assert.Zero(t, r.Summary.Unsettled)
		})
	}
}

func TestWhatCannotBeJudgedIsLeftOutByName(t *testing.T) {
	t.Parallel()
	r := judged(t, "desk.yaml", services.Desk(""), "*/not-json/*", "*/sequence/*")
	assert.Equal(t, []string{
		"TRACE /notes/{id}: method TRACE is not supported",
		"POST /imports: request media type application/xml is never sent",
		"POST /imports: no request body of a media type that can be written",
		"GET /session: security scheme session (http digest) is not supported",
	}, r.Header.LeftOut)
	for _, x := range r.Results {
		for _, path := range []string{"imports", "session", "notes-id"} {
			assert.NotContains(t, x.Requirement, path)
		}
	}
}
