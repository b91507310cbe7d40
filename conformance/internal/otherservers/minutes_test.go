package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestAServerThatGoesByTheTimeOfTheLastChangeIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "within a second it may change"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "minutes.yaml", otherservers.Minutes(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			passed := 0
			for _, x := range r.Results {
				switch x.Requirement {
				case "get-minutes-minutesid-not-modified-since", "get-minutes-minutesid-modified-since", "put-minutes-minutesid-unmodified-since":
					assert.Equal(t, report.Pass, x.Verdict, x.Requirement)
					passed++
				}
			}
			assert.Equal(t, 3, passed)
		})
	}
}

func TestAServerThatDoesNotGoByTheTimeOfTheLastChangeIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"since is ignored":      "get-minutes-minutesid-not-modified-since",
		"since is enough":       "get-minutes-minutesid-modified-since",
		"unmodified is ignored": "put-minutes-minutesid-unmodified-since",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "minutes.yaml", otherservers.Minutes(wrong), "*/dated/*", "*/stale-date/*")
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}
