package judge

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

func TestAWrongTypeIsOneWayOfFailingWhateverItsValue(t *testing.T) {
	j := plants(t)
	signatures := map[string]bool{}
	for n := range 20 {
		ex := answered(200, "application/json", fmt.Sprint(n))
		op := j.Contract.Operations[0]
		m := &request.Message{Op: op, Raw: []byte(`{"id":1,"name":"fern"}`)}
		ex.Request = j.Endpoint.Wire(m, "case")
		got := j.check(&subject{op: op, class: "post-plants/valid/baseline/body/baseline", sent: j.Endpoint.Classify(m, ex.Request), ex: ex, got: j.read(op, ex)}, nil)
		if assert.NotNil(t, got.reason) {
			signatures[got.reason.out.Signature] = true
		}
	}
	assert.Len(t, signatures, 1)
}

func TestWaysBeyondTheLimitAreAddedToTheLast(t *testing.T) {
	var list []*group
	for i := range 3 * waysKept {
		c := &plan.Case{ID: fmt.Sprint(i)}
		list = append(list, &group{at: 1, signature: fmt.Sprint(i), cases: []*plan.Case{c},
			failures: map[*plan.Case]*failure{c: {finding: finding{1, rule.Outcome{}}}}})
	}
	got := few(append(list, &group{at: 2}))
	assert.Len(t, got, waysKept+1)
	assert.Len(t, got[waysKept-1].cases, 2*waysKept+1)
	assert.Equal(t, 2, got[waysKept].at)
}
