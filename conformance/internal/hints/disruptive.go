// Package hints reads names and sentences of a document for what they suggest. A hint is a
// guess: it may make a run cautious, and is never a verdict.
package hints

import (
	"net/http"
	"slices"
	"strings"
)

// disruptive are the words of names of operations that may stop a service, throw its data
// away, or take the credential of the caller.
func disruptive() []string {
	return []string{"shutdown", "poweroff", "powercycle", "halt", "restart", "reboot", "terminate", "kill", "suspend", "deactivate", "decommission",
		"reset", "purge", "wipe", "truncate", "maintenance", "logout", "logoff", "signout", "signoff", "revoke", "password", "passwd", "passphrase"}
}

// safely are those of them that count for a GET too, as the end of its path: browsers made
// such links common.
func safely() []string {
	return []string{"shutdown", "poweroff", "restart", "reboot", "logout", "logoff", "signout", "signoff"}
}

// oneself are the ends of paths that stand for the caller, or for the account of the caller.
func oneself() []string { return []string{"me", "myself", "self", "account", "user", "profile"} }

// Disruption returns the word of a name that suggests that an operation may do harm to all others,
// or an empty text. No text for people does: which operations are tried must not depend on it.
func Disruption(method, path, id string) string {
	segments := slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" || strings.Contains(s, "{") })
	last := ""
	if !strings.HasSuffix(path, "}") && len(segments) > 0 {
		last = segments[len(segments)-1]
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, "QUERY":
		return among(Words(last), safely())
	case http.MethodDelete:
		if !strings.Contains(path, "{") && slices.Contains(oneself(), strings.ToLower(last)) {
			return last
		}
	}
	for _, name := range append(segments, id) {
		if word := among(Words(name), disruptive()); word != "" {
			return word
		}
	}
	return ""
}

// among returns the first of some words, or of two that are written apart, that is in a list.
func among(words, list []string) string {
	for i, word := range words {
		verb, _ := strings.CutSuffix(word, "s")
		for _, w := range []string{word, verb} {
			if slices.Contains(list, w) {
				return w
			}
			if i+1 < len(words) && slices.Contains(list, w+words[i+1]) {
				return w + words[i+1]
			}
		}
	}
	return ""
}
