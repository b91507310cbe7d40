package proof_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plantstore/cmd/internal/proof"
)

func TestStartReferenceAnswersItsTokenUntilItIsClosed(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	s, err := proof.StartReference(nil)
	require.NoError(t, err)
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+$`, s.URL)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	post := func(token string) (int, error) {
		req, err := http.NewRequest(http.MethodPost, s.URL+"/plants", strings.NewReader(`{"id":1,"name":"fern"}`))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
	}
	status, err := post(s.Token)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, status)
	status, err = post("other")
	require.NoError(t, err)
	assert.NotEqual(t, http.StatusOK, status)
	s.Close()
	s.Close()
	_, err = post(s.Token)
	assert.Error(t, err)
}
