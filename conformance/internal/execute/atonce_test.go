package execute

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/plan"
)

// TestStepsOnOneConnectionAreNeverSentAtTheSameTime: a session is for one request
// at a time, and shrinking leaves out the step between two parallel groups.
func TestStepsOnOneConnectionAreNeverSentAtTheSameTime(t *testing.T) {
	one, two, alone := plan.Step{Connection: 1, Parallel: true}, plan.Step{Connection: 2, Parallel: true}, plan.Step{Connection: 3}
	assert.Equal(t, 2, atOnce([]plan.Step{one, two, one, two}))
	assert.Equal(t, 2, atOnce([]plan.Step{one, two, two}))
	assert.Equal(t, 2, atOnce([]plan.Step{one, two, alone}))
	assert.Equal(t, 1, atOnce([]plan.Step{one, one}))
	assert.Equal(t, 1, atOnce([]plan.Step{alone, one, two}))
}
