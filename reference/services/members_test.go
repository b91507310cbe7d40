package services_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
	"plantstore/reference/services"
)

func TestAKeyInTheBodyMayHaveToBeThatOfThePath(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "path wins"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "profiles.yaml", services.Profiles(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestAFaultBesideAKeyOfThePathIsFound(t *testing.T) {
	t.Parallel()
	r := small(t, "profiles.yaml", services.Profiles("motto length"))
	assert.Equal(t, []string{"put-profiles-handle-profile-motto-min-length", "put-profiles-handle-profile-motto-max-length"}, tripped(r), shown(t, r))
}
