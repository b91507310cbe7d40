package fetch

import (
	"net/url"
	"strings"
)

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
