package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/fetch"
)

func anywhere(*url.URL) bool { return true }

func parse(t *testing.T, address string) *url.URL {
	u, err := fetch.Parse(address)
	require.NoError(t, err)
	return u
}

// serve answers with the bytes of the path, and redirects /to?URL.
func serve(t *testing.T, bodies map[string]string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, found := bodies[r.URL.Path]
		switch {
		case r.URL.Path == "/to":
			http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
		case r.URL.Path == "/referer":
			_, _ = fmt.Fprint(w, "referer:", r.Header.Get("Referer"))
		case !found:
			w.WriteHeader(http.StatusNotFound)
		default:
			_, _ = fmt.Fprint(w, body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestADocumentIsReadFromWhereItRedirects(t *testing.T) {
	s := serve(t, map[string]string{"/a": "bytes"})
	data, at, err := fetch.Read(context.Background(), parse(t, s.URL+"/to?/to?/a"), 10, anywhere)
	require.NoError(t, err)
	assert.Equal(t, "bytes", string(data))
	assert.Equal(t, s.URL+"/a", at.String())

	data, _, err = fetch.Read(context.Background(), parse(t, s.URL+"/to?/referer"), 10, anywhere)
	require.NoError(t, err)
	assert.Equal(t, "referer:", string(data), "the address may hold a secret")
}

func TestWhatIsNoDocumentIsRefused(t *testing.T) {
	s := serve(t, map[string]string{"/long": strings.Repeat("a", 11), "/blank": " \n"})
	for path, want := range map[string]string{
		"/long":                            "longer than 0 MiB",
		"/blank":                           "the answer is empty",
		"/nowhere":                         "the server answers 404",
		"/to?" + strings.Repeat("/to?", 5): "more than 5 redirects",
	} {
		_, _, err := fetch.Read(context.Background(), parse(t, s.URL+path), 10, anywhere)
		assert.EqualError(t, err, want, path)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := fetch.Read(ctx, parse(t, "http://me:secret@127.0.0.1:1/?secret"), 10, anywhere)
	assert.EqualError(t, err, "context canceled")
}

func TestARedirectStaysWhereItIsAllowed(t *testing.T) {
	other := serve(t, map[string]string{"/a": "bytes"})
	s := serve(t, nil)
	here := func(u *url.URL) bool { return u.Host == strings.TrimPrefix(s.URL, "http://") }
	_, _, err := fetch.Read(context.Background(), parse(t, s.URL+"/to?"+other.URL+"/a"), 10, here)
	assert.EqualError(t, err, "redirected to "+other.URL+"/a, which is not allowed")
}

func TestCredentialsOfAnAddressAreNotShown(t *testing.T) {
	for address, want := range map[string]string{
		"https://h/a.yaml":                                       "https://h/a.yaml",
		"https://me:secret-word@h/a.yaml":                        "https://h/a.yaml",
		"https://secret-word@h:1/a?format=json&v=3#b":            "https://h:1/a?format=json&v=3",
		"https://h/a?private_token=secret-word&v=3":              "https://h/a?private_token=...&v=3",
		"https://h/a?secret-word":                                "https://h/a?...",
		"https://h/a?v=3&secret-word&X-Amz-Signature=0123456789": "https://h/a?v=3&...&X-Amz-Signature=...",
	} {
		assert.Equal(t, want, fetch.Shown(parse(t, address)))
	}
	for _, address := range []string{"http://", "https://me:secret-word@/a", "http://h:secret-word/", "http://%zz secret-word/"} {
		_, err := fetch.Parse(address)
		assert.EqualError(t, err, "not an address", address)
	}
}

func TestOnlyHTTPIsAnAddress(t *testing.T) {
	for name, want := range map[string]bool{"http://h": true, "HTTPS://h": true, "ftp://h": false, "openapi.yaml": false, "http:/h": false, "file:///a": false} {
		assert.Equal(t, want, fetch.IsAddress(name), name)
	}
}
