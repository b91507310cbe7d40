package otherservers_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

// The suite chooses the name of every drawer that it puts, so no case needs a drawer that
// another one deletes, also if the server lets a field override the method, as Javalin does.
func TestAServerWhoseClientNamesTheDrawersIsConformant(t *testing.T) {
	t.Parallel()
	drawers := otherservers.Drawers("")
	r := small(t, "drawers.yaml", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if method := r.Header.Get("X-HTTP-Method-Override"); method != "" {
			r.Method = method
		}
		drawers.ServeHTTP(w, r)
	}))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
}

func TestWhatAPutOfADrawerSaysIsJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"makes without saying so":           {"put-drawers-name-put-creates"},
		"replaces what was only to be made": {"put-drawers-name-create-only"},
		"asterisk":                          {"put-drawers-name-header-if-none-match-enum"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "drawers.yaml", otherservers.Drawers(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}
