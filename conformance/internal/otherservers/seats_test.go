package otherservers_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

// seats serves seats.yaml: each of 27 seats is booked once, and then refused with a status.
// The seats of a closed row are refused too.
func seats(again int, closed string) http.Handler {
	var mu sync.Mutex
	taken, seat := map[string]bool{}, regexp.MustCompile(`^[A-C][1-9]$`)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		var given map[string]string
		status, id := http.StatusCreated, ""
		if r.URL.RawQuery == "" && strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") && json.Unmarshal(body, &given) == nil {
			id = given["seat"]
		}
		switch {
		case r.Method != http.MethodPost || len(given) != 1 || !seat.MatchString(id) || closed != "" && strings.HasPrefix(id, closed):
			status = http.StatusBadRequest
		case taken[id]:
			status = again
		}
		taken[id] = true
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]string{"seat": id})
	})
}

func TestAServerWhoseFewValuesAreAllTakenIsNotBlamed(t *testing.T) {
	t.Parallel()
	for status, verdict := range map[int]report.Outcome{http.StatusConflict: report.Conformant, http.StatusBadRequest: report.Incomplete} {
		r := small(t, "seats.yaml", seats(status, ""))
		assert.Empty(t, tripped(r), shown(t, r))
		assert.Equal(t, verdict, r.Summary.Verdict, shown(t, r))
		assert.Equal(t, verdict == report.Incomplete, strings.Contains(fmt.Sprintf("%+v", r.Results), "the target answers that they are taken"), shown(t, r))
	}
}

func TestARefusalThatIsNoRepeatIsBlamedAlthoughTheValuesAreFew(t *testing.T) {
	t.Parallel()
	r := small(t, "seats.yaml", seats(http.StatusConflict, "B"))
	assert.Equal(t, report.NotConformant, r.Summary.Verdict, shown(t, r))
}
