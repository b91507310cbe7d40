package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// plans are those of all tests that judge a server: many have one document. plantPlans
// are those of the document of this project, which is read most often.
var plans, plantPlans = new(conformance.Cache), new(conformance.Cache)

// TestMain lets the collector rest, which takes a third of the time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(768 << 20)
	os.Exit(m.Run())
}

// judgeServer runs the suite against a server that is started for it.
func judgeServer(t *testing.T, server http.Handler, c conformance.Config) *report.Report {
	t.Helper()
	s := httptest.NewServer(server)
	defer s.Close()
	c.Target, c.Cache = s.URL, plans
	got, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	return got
}

// failedMusts lists the failed requirements that gate.
func failedMusts(r *report.Report) []string {
	var out []string
	for _, x := range r.Results {
		if x.Verdict == report.Fail && x.Level == report.Must {
			out = append(out, x.Requirement)
		}
	}
	return out
}
