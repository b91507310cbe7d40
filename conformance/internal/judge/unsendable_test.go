package judge

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/mutators"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rules"
	"plantstore/conformance/internal/schemes"
	"plantstore/conformance/report"
	"plantstore/spec"
)

// Bytes that may not be sent are a fault of ours: no target is charged with them.
func TestARequestThatMayNotBeSentIsNeverTheTargetsFault(t *testing.T) {
	c, err := contract.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	p, err := plan.New(c, schemes.List(), 1, 0)
	require.NoError(t, err)
	require.NoError(t, p.Fill(context.Background(), mutators.List()[:1]))
	target, err := exchange.ParseTarget("http://127.0.0.1:1")
	require.NoError(t, err)
	c.Operations[0].Path = "/plants HTTP/1.1\r\nX: y"
	j := New(Config{Contract: c, Set: requirement.Derive(c), Rules: rules.List(), Plan: p, Workers: 1, Timeout: time.Second,
		Selected: func(string) bool { return true }, Repeat: func(id string) string { return id }, Client: exchange.New(target, exchange.Options{}),
		Endpoint: &request.Endpoint{Target: target, Token: "t0ken-of-a-test", Scheme: func(op *contract.Operation) *request.Scheme { return p.Space(op).Scheme }}})
	k := p.Cases[0]
	own := j.Client.Session()
	r := j.try(context.Background(), k, j.identity(0), own, whole)
	assert.Contains(t, r.wrong, "may not be sent: request target /plants HTTP/1.1<0d><0a>X: y is no path")
	assert.Empty(t, r.failures)

	j.Open(context.Background())
	for _, x := range j.Run(context.Background(), p.Cases).Results {
		assert.NotContains(t, []report.Verdict{report.Pass, report.Fail}, x.Verdict, x.Requirement)
	}
}
