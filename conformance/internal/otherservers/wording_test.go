package otherservers_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
	"plantstore/testdata/wording"
)

// worded is a document with a right server and a faulty one.
type worded struct {
	document string
	handler  func(wrong string) http.Handler
	wrong    string
}

func TestNoWordingOfADocumentChangesAVerdict(t *testing.T) {
	t.Parallel()
	same(t, worded{"testdata/chores.yaml", otherservers.Chores, "nothing is kept"})
}

// same judges the servers by each wording of their document, and compares what a document can
// require.
func same(t *testing.T, w worded) {
	t.Helper()
	spec, err := os.ReadFile(w.document)
	require.NoError(t, err)
	ways := wording.Ways()
	ways["as it is"] = func(said string) string { return said }
	for _, wrong := range []string{"", w.wrong} {
		of := map[string]*report.Report{}
		for name, how := range ways {
			text, err := wording.Reword(spec, how)
			require.NoError(t, err)
			of[name] = byDocument(t, w.document, text, w.handler(wrong), conformance.Config{Token: otherservers.Key})
		}
		is := of["as it is"]
		for name, r := range of {
			assert.Equal(t, required(is), required(r), "%s, %q, %s: %s", w.document, wrong, name, shown(t, r))
			assert.Equal(t, is.Summary.Verdict, r.Summary.Verdict, "%s, %q, %s", w.document, wrong, name)
		}
	}
}

// required are the verdicts that do not rest on evidence.
func required(r *report.Report) map[string]report.Verdict {
	out := map[string]report.Verdict{}
	for _, x := range r.Results {
		if x.Level == report.Must || x.Level == report.Should {
			out[string(x.Level)+" "+x.Requirement] = x.Verdict
		}
	}
	return out
}
