package conformance_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// A server may answer 413 and never does. That is no gap, whatever else it breaks.
func TestAnAnswerThatTheServerMayChooseAndNeverGivesIsNoGapBesideAFailure(t *testing.T) {
	const no = `{"description": "no", "content": {"application/json": {"schema": {"type": "object", "required": ["error"]}}}}`
	const doc = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/lamps": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["watt"], "properties": {"watt": {"type": "integer", "minimum": 1, "maximum": 60}}}}}},
		"responses": {"204": {"description": "ok"}, "400": ` + no + `, "413": ` + no + `}}}}}`
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body, err := jsontree.Parse(b)
		var watt *jsontree.Value
		if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") && err == nil && len(body.Issues) == 0 && body.Root.Kind == jsontree.Object {
			watt = body.Root.Get("watt")
		}
		if watt != nil && watt.Kind == jsontree.Number && jsontree.Compare(watt.Text, "1") >= 0 && !strings.ContainsAny(watt.Text, ".eE") {
			w.WriteHeader(http.StatusNoContent) // the maximum is not checked
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error": "no"}`))
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(doc), Draws: -1})
	assert.Equal(t, []string{"post-lamps-body-watt-maximum"}, failedMusts(got))
	for _, x := range got.Results {
		if strings.HasPrefix(x.Requirement, "post-lamps-413") {
			assert.Equal(t, report.Inapplicable, x.Verdict, "%s: %s", x.Requirement, x.Reason)
		}
	}
	assert.Empty(t, got.Summary.Reasons)
}
