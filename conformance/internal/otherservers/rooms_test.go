package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestARightServerWithIdentifiersInItsParametersIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "requests once"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "rooms.yaml", otherservers.Rooms(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			assert.Equal(t, []string{"listRooms <- any value", "addRoom <- any value", "getRoom <- any value, addRoom#/id", "dropRoom <- any value, addRoom#/id",
				"addGuest <- nothing needed", "listStays <- addGuest#/id"}, r.Reach.Ways)
			for _, x := range r.Results {
				switch x.Requirement {
				case "post-rooms-valid-accepted", "get-rooms-valid-accepted", "get-rooms-query-order-accepted", "get-stays-query-most-accepted":
					assert.Equal(t, report.Pass, x.Verdict, x.Requirement)
				}
			}
		})
	}
}

func TestARefusedTenantThatMayHaveToExistIsNoFailure(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"known tenants", "tenants once"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "rooms.yaml", otherservers.Rooms(odd))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestAFaultBesideARequiredIdentifierIsFound(t *testing.T) {
	t.Parallel()
	for wrong, requirement := range map[string]string{
		"short labels":    "newroom-label-accepted",
		"no way down":     "get-rooms-query-order-accepted",
		"most below nine": "get-stays-query-most-accepted",
		"request":         "get-rooms-header-x-request-id-uuid",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "rooms.yaml", otherservers.Rooms(wrong))
			assert.Equal(t, report.NotConformant, r.Summary.Verdict, shown(t, r))
			assert.Contains(t, tripped(r), requirement, shown(t, r))
		})
	}
}
