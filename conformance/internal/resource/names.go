package resource

import (
	"strings"

	"plantstore/conformance/internal/openapi"
)

// keys are the names of members that tell things of one kind apart, the usual first.
var keys = []string{"id", "uuid", "guid", "key", "slug", "code", "name", "number", "handle", "username", "sku"}

// ownKeys are names of keys that begin with the word of the path for the things: revision and
// revisionNumber below /revisions.
func ownKeys(item string) []string {
	thing := openapi.One(resource(item))
	if thing == "" {
		return nil
	}
	words := []string{thing}
	if stem, found := strings.CutSuffix(thing, "y"); found {
		words = append(words, stem+"ie") // movies are those of a movie
	}
	var out []string
	for _, ending := range []string{"", "id", "number", "code", "key"} {
		for _, word := range words {
			out = append(out, word+ending)
		}
	}
	return out
}

// segments splits a path template.
func segments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

// resource returns the word of a path that names its things: users for /v1/users and
// for /users/{id}.
func resource(path string) string {
	parts := segments(path)
	for i := len(parts) - 1; i >= 0; i-- {
		if !strings.Contains(parts[i], "{") {
			return parts[i]
		}
	}
	return ""
}

// before returns the path up to the segment with an expression: /users for name id
// in /users/{id}/orders. It is empty if that segment has other text too.
func before(path, name string) (collection string, item string) {
	head, _, found := strings.Cut(path, "{"+name+"}")
	if !found {
		return "", ""
	}
	at := strings.LastIndexByte(head, '/')
	rest := path[len(head):]
	if end := strings.IndexByte(rest, '/'); end >= 0 {
		rest = rest[:end]
	}
	return head[:max(at, 0)], head + rest
}
