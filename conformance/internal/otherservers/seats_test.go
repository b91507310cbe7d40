package otherservers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestAServerWhoseFewValuesAreAllTakenIsNotBlamed(t *testing.T) {
	t.Parallel()
	for status, verdict := range map[int]report.Outcome{http.StatusConflict: report.Conformant, http.StatusBadRequest: report.Incomplete} {
		r := small(t, "seats.yaml", otherservers.Seats(status, ""))
		assert.Empty(t, tripped(r), shown(t, r))
		assert.Equal(t, verdict, r.Summary.Verdict, shown(t, r))
		assert.Equal(t, verdict == report.Incomplete, strings.Contains(fmt.Sprintf("%+v", r.Results), "the target answers that they are taken"), shown(t, r))
	}
}

func TestARefusalThatIsNoRepeatIsBlamedAlthoughTheValuesAreFew(t *testing.T) {
	t.Parallel()
	r := small(t, "seats.yaml", otherservers.Seats(http.StatusConflict, "C"))
	assert.Equal(t, report.NotConformant, r.Summary.Verdict, shown(t, r))
}
