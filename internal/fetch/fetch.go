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
