package diagnose

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/verdict"
)

func TestWaysBeyondTheLimitAreAddedToTheLast(t *testing.T) {
	var list []*group
	for i := range 3 * limits.WaysKept {
		c := &plan.Case{ID: fmt.Sprint(i)}
		list = append(list, &group{at: 1, signature: fmt.Sprint(i), cases: []*plan.Case{c},
			failures: map[*plan.Case]*verdict.Failure{c: {Finding: verdict.Finding{At: 1}}}})
	}
	got := few(append(list, &group{at: 2}))
	assert.Len(t, got, limits.WaysKept+1)
	assert.Len(t, got[limits.WaysKept-1].cases, 2*limits.WaysKept+1)
	assert.Equal(t, 2, got[limits.WaysKept].at)
}
