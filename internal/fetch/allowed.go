package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

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
