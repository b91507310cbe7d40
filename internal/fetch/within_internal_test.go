package fetch

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARedirectStaysEncrypted(t *testing.T) {
	check := within(func(*url.URL) bool { return true })
	asked := func(address string) *http.Request { return httptest.NewRequest(http.MethodGet, address, nil) }
	via := []*http.Request{asked("https://h/a")}
	assert.NoError(t, check(asked("https://other/a"), via))
	assert.EqualError(t, check(asked("http://h/a"), via), "redirected from https to http")
	assert.NoError(t, check(asked("https://h/a"), []*http.Request{asked("http://h/a")}))
}
