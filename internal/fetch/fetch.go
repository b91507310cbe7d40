// Package fetch reads a document from an http or https address that the user named.
package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Limits of one document.
const (
	longest      = 30 * time.Second
	maxRedirects = 5
)

// IsAddress reports whether a name is an address and not the path of a file.
func IsAddress(name string) bool {
	scheme, _, found := strings.Cut(name, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// Parse reads an address. The error has nothing of it.
func Parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("not an address")
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// Read returns the bytes at an address, at most so many, and the address that it was
// redirected to. It is redirected only where may allows it. The error has no
// credentials.
func Read(ctx context.Context, u *url.URL, maximum int64, may func(*url.URL) bool) ([]byte, *url.URL, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, nil, errors.New("not an address that can be asked")
	}
	request.Header.Set("Accept", "application/json, application/yaml, text/yaml, */*;q=0.5")
	request.Header.Set("User-Agent", "conformance")
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, CheckRedirect: within(may)}
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, cause(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("the server answers %d", response.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maximum+1))
	switch {
	case err != nil:
		return nil, nil, cause(ctx, err)
	case int64(len(data)) > maximum:
		return nil, nil, fmt.Errorf("longer than %d MiB", maximum>>20)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, nil, errors.New("the answer is empty")
	}
	return data, response.Request.URL, nil
}

// within returns the function that decides about a redirect.
func within(may func(*url.URL) bool) func(next *http.Request, via []*http.Request) error {
	return func(next *http.Request, via []*http.Request) error {
		next.Header.Del("Referer") // the query may be secret
		switch {
		case len(via) > maxRedirects:
			return fmt.Errorf("more than %d redirects", maxRedirects)
		case via[0].URL.Scheme == "https" && next.URL.Scheme != "https":
			return errors.New("redirected from https to " + next.URL.Scheme)
		case !may(next.URL):
			return errors.New("redirected to " + Shown(next.URL) + ", which is not allowed")
		}
		return nil
	}
}

// cause returns the reason of an error without the address.
func cause(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("no complete answer within %v", longest)
	}
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// shortest is the length from which a value may be a secret.
const shortest = 8

// Shown returns an address without what may be a credential: the user info, and
// values of the query that are long enough to be one.
func Shown(u *url.URL) string {
	shown := *u
	shown.User = nil
	pieces := strings.Split(u.RawQuery, "&")
	for i, p := range pieces {
		name, value, found := strings.Cut(p, "=")
		switch {
		case found && len(value) >= shortest:
			pieces[i] = name + "=..."
		case !found && len(p) >= shortest:
			pieces[i] = "..."
		}
	}
	shown.RawQuery = strings.Join(pieces, "&")
	return shown.String()
}

// Allowed are the addresses and folders that the user allows a document to refer to.
type Allowed struct {
	prefixes []*url.URL
	// at is the address of the document, with credentials that its server also gets for
	// other documents.
	at *url.URL
}

// Allow reads prefixes: addresses and paths of folders or files. At is the address of
// the document; nil if it has none.
func Allow(prefixes []string, at *url.URL) (*Allowed, error) {
	a := &Allowed{at: at}
	for _, p := range prefixes {
		u, err := At(p)
		if err != nil || p == "" || u.RawQuery != "" {
			return nil, errors.New("--allow-ref: not the beginning of an address or a path: write it like https://example.com/schemas/ or ../common/")
		}
		u.User = nil
		a.prefixes = append(a.prefixes, u)
	}
	return a, nil
}

// At returns the address of a document: its own, or that of a file.
func At(location string) (*url.URL, error) {
	if IsAddress(location) {
		return Parse(location)
	}
	abs, err := filepath.Abs(location)
	if err != nil {
		return nil, err
	}
	return &url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}, nil
}

// Allows reports whether an address begins with a prefix, in whole segments.
func (a *Allowed) Allows(u *url.URL) bool { return a.prefix(u) != nil }

func (a *Allowed) prefix(u *url.URL) *url.URL {
	for _, segment := range strings.Split(u.EscapedPath(), "/") {
		// Servers may read %2e%2e as the way up, and %2f as the end of a segment.
		if plain, err := url.PathUnescape(segment); err != nil || plain == ".." || plain == "." || strings.ContainsAny(plain, `/\`) {
			return nil
		}
	}
	for _, p := range a.prefixes {
		rest, below := strings.CutPrefix(u.EscapedPath(), strings.TrimSuffix(p.EscapedPath(), "/"))
		if below && (rest == "" || rest[0] == '/') && strings.EqualFold(u.Scheme, p.Scheme) && strings.EqualFold(u.Host, p.Host) {
			return p
		}
	}
	return nil
}

// Prefix returns the prefix that would allow an address.
func (a *Allowed) Prefix(u *url.URL) string {
	folder := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path.Dir(u.Path)}
	if folder.Path != "/" {
		folder.Path += "/"
	}
	if u.Scheme != "file" {
		return folder.String()
	}
	if here, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(here, folder.Path); err == nil {
			return filepath.ToSlash(name) + "/"
		}
	}
	return folder.Path
}

// Read returns the bytes at an address that is allowed, at most so many.
func (a *Allowed) Read(u *url.URL, maximum int64) ([]byte, error) {
	p := a.prefix(u)
	switch {
	case p == nil:
		return nil, errors.New("it is not allowed")
	case u.Scheme == "file":
		return readFile(p.Path, u.Path, maximum)
	}
	if a.at != nil && a.at.User != nil && a.at.Scheme == u.Scheme && a.at.Host == u.Host {
		with := *u
		with.User, u = a.at.User, &with
	}
	data, _, err := Read(context.Background(), u, maximum, a.Allows)
	return data, err
}

// readFile reads a file below an allowed folder. A root follows no link that leads out
// of it.
func readFile(allowed, name string, maximum int64) ([]byte, error) {
	if info, err := os.Stat(allowed); err == nil && !info.IsDir() {
		allowed = filepath.Dir(allowed)
	}
	root, err := os.OpenRoot(allowed)
	if err != nil {
		return nil, reason(err)
	}
	defer root.Close()
	name, err = filepath.Rel(allowed, name)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, reason(err)
	case !info.Mode().IsRegular(): // a pipe would block whoever opens it
		return nil, errors.New("it is no regular file")
	case info.Size() > maximum:
		return nil, fmt.Errorf("longer than %d MiB", maximum>>20)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maximum))
}

// reason returns the cause of a file error without the path.
func reason(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
