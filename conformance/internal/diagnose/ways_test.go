package diagnose

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

func TestWaysBeyondTheLimitAreAddedToTheLast(t *testing.T) {
	var list []*group
	for i := range 3 * limits.WaysKept {
		c := &plan.Case{ID: fmt.Sprint(i)}
		list = append(list, &group{at: 1, signature: fmt.Sprint(i), cases: []*plan.Case{c},
			failures: map[*plan.Case]*judge.Failure{c: {Finding: judge.Finding{At: 1}}}})
	}
	got := few(append(list, &group{at: 2}))
	assert.Len(t, got, limits.WaysKept+1)
	assert.Len(t, got[limits.WaysKept-1].cases, 2*limits.WaysKept+1)
	assert.Equal(t, 2, got[limits.WaysKept].at)
}
