package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

// A link that is made with a time in the past leads nowhere, and that is what 410 is for.
func TestAThingThatWasMadeWithATimeMayBeOver(t *testing.T) {
	for body, want := range map[string]report.Verdict{
		`{"a":"x1","until":"2020-01-02T03:04:05Z"}`: report.Inapplicable,
		`{"a":"x1"}`: report.Fail,
	} {
		p := history(t, said{"add", body, 201, `{"id":"k1","a":"x1"}`, ""}, said{"read", "", 410, "", ""})
		assert.Equal(t, want, createdReadable.Check(p).Verdict, body)
	}
}
