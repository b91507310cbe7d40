package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

// A trailer replaces a trailer: what is made for it is of the same kind.
func TestAServerThatKeepsTheKindOfAVehicleIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "the kind changes"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "garage.yaml", otherservers.Garage(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestWhatIsMadeOfTheSecondKindIsReadToo(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"another plate is shown": "get-vehicles-vehicleid-stored-created",
		"another frame is shown": "get-vehicles-vehicleid-stored-created",
		"trailers are not found": "get-vehicles-vehicleid-created-readable",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "garage.yaml", otherservers.Garage(wrong), "get-vehicles-vehicleid/sequence/created/*")
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}
