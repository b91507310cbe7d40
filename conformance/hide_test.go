package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

// Who names a token after the operation still reads which case is meant.
func TestAReasonNamesItsCaseThoughTheTokenHasTheWordsOfIt(t *testing.T) {
	const token = "post-plants-token"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no such path for "+r.Header.Get("Authorization"), http.StatusNotFound)
	}))
	defer s.Close()
	r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Token: token, Draws: 1})
	require.NoError(t, err)
	var reasons []string
	for _, x := range r.Results {
		reasons = append(reasons, x.Reason)
	}
	all := strings.Join(reasons, "\n")
	assert.Contains(t, all, "no case of post-plants/")
	assert.NotContains(t, all, token)
}
