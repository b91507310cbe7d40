package redact_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/redact"
)

func TestWhatARedactorLearnsIsTakenOutByThoseMadeFromIt(t *testing.T) {
	r := redact.New(redact.Secret{Value: "first-secret-5f0b", Shown: "$A"})
	more := r.And(redact.Secret{Value: "xyz", Shown: "$B"})
	r.Learn(redact.Secret{Value: "qK7dXw2mPz9LbV4t", Shown: "$A"})
	assert.Equal(t, "$A $A", r.Text("first-secret-5f0b qK7dXw2mPz9LbV4t"))
	assert.Equal(t, "$A $A $B", more.Text("first-secret-5f0b qK7dXw2mPz9LbV4t xyz"))
	assert.Equal(t, "$A", string(more.Own([]byte("qK7dXw2mPz9LbV4t"))))
}
