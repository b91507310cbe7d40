// Package watch waits until the content of a file changes, or until a server that was
// away is back.
package watch

import (
	"context"
	"crypto/sha256"
	"net"
	"net/url"
	"os"
	"slices"
	"time"
)

// pause is the time between two looks. A server that is away for less is not noticed.
const pause = 200 * time.Millisecond

// dialTime is how long a server may take to accept a connection.
const dialTime = 2 * time.Second

// Files remembers files and the content that they had.
type Files struct {
	paths []string
	had   map[string]state
}

// state is what is known of a file; the zero value is that of one that cannot be read.
type state struct {
	size   int64
	at     time.Time
	digest [sha256.Size]byte
}

// Remember remembers the content that files have now. A file that cannot be read counts
// as changed once it can.
func Remember(paths ...string) *Files {
	f := &Files{had: map[string]state{}}
	f.Add(paths...)
	return f
}

// Add remembers more files.
func (f *Files) Add(paths ...string) {
	for _, p := range paths {
		if !slices.Contains(f.paths, p) {
			f.paths = append(f.paths, p)
			f.had[p] = look(p, state{})
		}
	}
}

// Paths returns the files in the order in which they were added.
func (f *Files) Paths() []string { return slices.Clone(f.paths) }

// look reads the state of a file. If its size and time are as before, so is its content.
func look(path string, before state) state {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return state{}
	}
	now := state{size: info.Size(), at: info.ModTime(), digest: before.digest}
	if now == before {
		return before
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return state{}
	}
	now.digest = sha256.Sum256(data)
	return now
}

// changed returns the first file whose content is not what it was before, or "". A file
// that is missing because it is being replaced has not changed yet.
func (f *Files) changed() string {
	first := ""
	for _, p := range f.paths {
		now := look(p, f.had[p])
		if now == (state{}) {
			continue
		}
		if now.digest != f.had[p].digest && first == "" {
			first = p
		}
		f.had[p] = now
	}
	return first
}

// Wait waits for a file to change, or for the server at a URL to be away and back; the
// URL may be empty. It says which of the two happened, and reports false if the context
// ended first.
func Wait(ctx context.Context, f *Files, server string) (why string, ok bool) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	address := addressOf(server)
	changed, away := "", false
	for {
		now := f.changed()
		switch {
		case now == "" && changed != "":
			return changed + " changed", true // and is written completely
		case now != "":
			changed = now
		case address != "" && ctx.Err() == nil:
			up := answers(ctx, address)
			if up && away {
				return "the server is back", true
			}
			away = !up && ctx.Err() == nil
		}
		select {
		case <-ctx.Done():
			return "", false
		case <-tick.C:
		}
	}
}

// addressOf is the host and port of a URL; empty for none.
func addressOf(server string) string {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// answers reports whether a server accepts a connection.
func answers(ctx context.Context, address string) bool {
	c, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	_ = c.Close() // it was only opened
	return true
}
