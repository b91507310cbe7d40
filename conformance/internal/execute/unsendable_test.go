package execute

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/mutate"
)

// Bytes that cannot be sent are an error in the suite, not a failure of the target.
func TestARequestThatMayNotBeSentIsNeverTheTargetsFault(t *testing.T) {
	d := fake.Plants(t, mutate.List()[:1]...)
	d.Op().Path = "/plants HTTP/1.1\r\nX: y"
	run := New(d.Target(d.Conforming), judge.New(d.Set, d.Rules, d.Plan, d.Endpoint), Settings{Workers: 1}, d.Plan.Cases, true)
	r := run.Try(t.Context(), d.Plan.Cases[0], run.Target.Identity(0), run.Target.Client.Session(), Whole)
	assert.Contains(t, r.OwnFault, "cannot be sent: request target /plants HTTP/1.1<0d><0a>X: y is not a path")
	assert.Empty(t, r.Failures)
}
