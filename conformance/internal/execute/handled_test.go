package execute_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
)

// against runs the cases of a document against a server, after its pre-flight and what
// happens then.
func against(t *testing.T, d *fake.Document, server http.Handler, s execute.Settings, then func(to *explore.Target)) (*execute.Run, *fake.Client) {
	t.Helper()
	c := &fake.Client{Serve: fake.Handled(server)}
	j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
	to := explore.New(d.Over(c))
	j.Facts = to.Facts
	require.True(t, to.Learn(t.Context()), "%v", to.Reasons)
	then(to)
	run := execute.New(to, j, s, d.Plan.Cases, true)
	j.Cover(d.Plan.Cases)
	run.All(t.Context())
	return run, c
}
