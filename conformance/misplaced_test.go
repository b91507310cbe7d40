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
