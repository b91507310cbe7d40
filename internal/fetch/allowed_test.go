package fetch_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/fetch"
)

func allow(t *testing.T, prefixes ...string) *fetch.Allowed {
	t.Helper()
	a, err := fetch.Allow(prefixes, nil)
	require.NoError(t, err)
	return a
}

func TestAPrefixCountsInWholeSegments(t *testing.T) {
	for _, row := range []struct {
		prefix, address string
		want            bool
	}{
		{"https://h/a", "https://h/a", true},
		{"https://h/a", "https://h/a/b.yaml?c", true},
		{"https://h/a/", "https://h/a/b.yaml", true},
		{"https://h", "https://h/a/b.yaml", true},
		{"HTTPS://H/a", "https://h/a", true},
		{"https://me:secret@h/a", "https://h/a", true},
		{"https://h/a", "https://h/ab", false},
		{"https://h/a/", "https://h/b", false},
		{"https://h", "https://h.evil.example/a", false},
		{"https://h", "https://h@evil.example/a", false},
		{"https://h", "https://h:8443/a", false},
		{"https://h", "http://h/a", false},
		{"https://h/a", "https://h/a/../b", false},
		{"https://h/a", "https://h/a/%2e%2E/b", false},
		{"https://h/a", "https://h/a/..%2fb", false},
		{"/a/b", "file:///a/b/c.yaml", true},
		{"/a/b/", "file:///a/b/c.yaml", true},
		{"/a/b/c.yaml", "file:///a/b/c.yaml", true},
		{"/a/b", "file:///a/bc.yaml", false},
		{"/a/b", "file://host/a/b/c.yaml", false},
		{"/a/b", "file:///a/b/../c.yaml", false},
		{"/a/b", "https://h/a/b", false},
	} {
		u, err := url.Parse(row.address)
		require.NoError(t, err)
		assert.Equal(t, row.want, allow(t, "https://other/", row.prefix).Allows(u), "%s %s", row.prefix, row.address)
		assert.False(t, allow(t).Allows(u), "nothing is allowed unless the user says so")
	}
	for _, bad := range []string{"", "http://", "https://h/a?b=c", "http://%zz"} {
		_, err := fetch.Allow([]string{bad}, nil)
		assert.ErrorContains(t, err, "--allow-ref: not the beginning of an address or a path", bad)
	}
}

func TestThePrefixThatIsNamedAllowsTheAddress(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	require.NoError(t, err)
	for address, want := range map[string]string{
		"https://me:secret@h/a/b.yaml?c": "https://h/a/",
		"https://h/b.yaml":               "https://h/",
		"file://" + here + "/c/d.yaml":   "c/",
		"file://" + here + "/../d.yaml":  "../",
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		u = u.ResolveReference(&url.URL{}) // no .. is left
		got := allow(t).Prefix(u)
		assert.Equal(t, want, got)
		assert.True(t, allow(t, got).Allows(u), address)
	}
}

func TestFilesAreReadBelowAFolderThatIsAllowed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	secret, inside := write("secret", "secret"), write("in/side", "bytes")
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "in", "link")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "in", "folder"), 0o700))
	a := allow(t, filepath.Join(dir, "in"), inside, filepath.Join(dir, "nowhere"))
	for name, want := range map[string]string{
		"in/side": "", "in/none": "no such file or directory", "in/link": "path escapes from parent", "in/folder": "it is no regular file",
		"secret": "it is not allowed", "nowhere/a": "no such file or directory",
	} {
		data, err := a.Read(&url.URL{Scheme: "file", Path: filepath.Join(dir, name)}, 5)
		if want != "" {
			assert.EqualError(t, err, want, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, "bytes", string(data))
	}
	data, err := allow(t, inside).Read(&url.URL{Scheme: "file", Path: inside}, 5)
	require.NoError(t, err)
	assert.Equal(t, "bytes", string(data))
	_, err = a.Read(&url.URL{Scheme: "file", Path: inside}, 4)
	assert.EqualError(t, err, "longer than 0 MiB")
}

// Whoever serves the document has its credentials already; nobody else gets them.
func TestCredentialsGoOnlyToTheServerOfTheDocument(t *testing.T) {
	asked := func(w http.ResponseWriter, r *http.Request) {
		user, _, _ := r.BasicAuth()
		_, _ = w.Write([]byte("user:" + user))
	}
	own, other := httptest.NewServer(http.HandlerFunc(asked)), httptest.NewServer(http.HandlerFunc(asked))
	defer own.Close()
	defer other.Close()
	at, err := fetch.At(strings.Replace(own.URL, "http://", "http://me:secret@", 1) + "/openapi.yaml")
	require.NoError(t, err)
	a, err := fetch.Allow([]string{own.URL, other.URL}, at)
	require.NoError(t, err)
	for address, want := range map[string]string{own.URL: "user:me", other.URL: "user:"} {
		data, err := a.Read(parse(t, address+"/a"), 100)
		require.NoError(t, err)
		assert.Equal(t, want, string(data))
	}
}
