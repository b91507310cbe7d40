package explore_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
)

// TestATargetThatWantsTheFieldsInAnotherOrderFailsAndIsNotAWrongToken answers the
// valid token in the usual order as it answers a wrong one.
func TestATargetThatWantsTheFieldsInAnotherOrderFailsAndIsNotAWrongToken(t *testing.T) {
	for _, status := range []int{400, 401, 403} {
		doc := fake.Plants(t)
		target := doc.Target(func(r *exchange.Request) *exchange.Exchange {
			if bytes.Index(r.Head, []byte("Authorization:")) < bytes.Index(r.Head, []byte("Content-Length:")) {
				return fake.Answer(status, "application/json", `{"error":1,"message":"no"}`)
			}
			return doc.Conforming(r)
		})
		assert.False(t, target.Learn(t.Context()))
		require.Len(t, target.Openings, 1, "the refusal is judged")
		assert.Equal(t, status, target.Openings[0].Exchange.Response.Status)
		reasons := strings.Join(target.Reasons, "; ")
		assert.Contains(t, reasons, "another order (credential-last)")
		assert.NotContains(t, reasons, "credential not accepted")
	}
}

func TestATargetThatRefusesEveryOrderIsNotSaidToWantAnother(t *testing.T) {
	doc := fake.Plants(t)
	target := doc.Target(func(*exchange.Request) *exchange.Exchange {
		return fake.Answer(401, "application/json", `{"error":1,"message":"no"}`)
	})
	assert.False(t, target.Learn(t.Context()))
	assert.Empty(t, target.Openings)
	assert.Contains(t, strings.Join(target.Reasons, "; "), "credential not accepted")
}
