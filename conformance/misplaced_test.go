package conformance_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

func TestATargetWithoutItsBasePathIsIncompleteForThatReasonAlone(t *testing.T) {
	spec := append(house(""), "servers: [{url: /api/v2}]\n"...)
	served := http.NewServeMux()
	served.Handle("/api/v2/", http.StripPrefix("/api/v2", newHouse(nil, nil)))
	got := judgeServer(t, served, conformance.Config{Spec: spec, Effort: "smoke", Draws: -1})
	assert.Equal(t, report.Incomplete, got.Summary.Verdict)
	assert.Empty(t, failedMusts(got))
	require.NotEmpty(t, got.Summary.Reasons)
	assert.Regexp(t, `^every path below http://\S+ is answered with 404: give the base path too in --target, such as http://\S+/api/v1; the document's servers are /api/v2$`, got.Summary.Reasons[0])
}

// A slip of the document costs the verdict on its credential, and nothing else.
func TestASchemeThatIsNotDefinedCostsOnlyItsCredential(t *testing.T) {
	t.Parallel()
	const spec = `{openapi: 3.1.0, info: {title: t, version: "1"}, security: [{missing: []}], paths: {/a: {get: {responses: {"200": {description: x}}}}}}`
	for name, row := range map[string]struct {
		status  int
		verdict report.Outcome
	}{
		"it wants none":             {http.StatusOK, report.Conformant},
		"it wants one":              {http.StatusUnauthorized, report.Incomplete},
		"it answers another status": {http.StatusAccepted, report.NotConformant},
	} {
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(row.status) }), conformance.Config{Spec: []byte(spec), Draws: -1})
		assert.Equal(t, row.verdict, got.Summary.Verdict, "%s: %v %v", name, failedMusts(got), got.Summary.Reasons)
		assert.True(t, got.Header.Partial(), name)
		assert.Contains(t, got.Header.LeftOut[0], `security scheme "missing" is not defined`)
	}
}
