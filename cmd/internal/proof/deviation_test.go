package proof_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plantstore/cmd/internal/proof"
	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

func TestEveryFaultAndVariantStarts(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, f := range faults.List() {
		s, err := proof.StartFault(f.Name)
		require.NoError(t, err)
		s.Close()
	}
	for _, v := range variants.List() {
		s, err := proof.StartVariant(v.Name)
		require.NoError(t, err)
		s.Close()
	}
}

func TestAnUnknownDeviationIsAnError(t *testing.T) {
	_, err := proof.StartFault("nothing")
	assert.ErrorContains(t, err, `no fault "nothing"`)
	_, err = proof.StartVariant("nothing")
	assert.ErrorContains(t, err, `no variant "nothing"`)
}
