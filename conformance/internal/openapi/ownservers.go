package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// elsewhere returns why an operation cannot be tried at the target: it or its path has
// servers of its own, and none of them is a server of the document (OpenAPI 3.1, 4.8.9
// and 4.8.10). It is empty if the operation is at the target.
func (l *loader) elsewhere(item, pointer string) string {
	own := l.ownServers(item, pointer)
	if l.usual == nil {
		// Without servers of the document those that are named first are the usual ones.
		if l.usual = serverURLs(l.root.At("/servers")); l.usual == nil && own != nil {
			l.usual = append([]string{"/"}, own...) // 4.8.1
		}
	}
	usual := func(url string) bool {
		return slices.ContainsFunc(l.usual, func(of string) bool { return sameServer(url, of) })
	}
	if own == nil || slices.ContainsFunc(own, usual) {
		return ""
	}
	return fmt.Sprintf("it has a server of its own, %s: to try it, give a document with that server for all", shown(own[0]))
}

// sameServer reports whether two URLs are of one server. One without a scheme has that of
// the document (RFC 3986, 4.2), which nobody knows.
func sameServer(a, b string) bool {
	_, restA, _ := strings.Cut(a, "//")
	_, restB, _ := strings.Cut(b, "//")
	return a == b || (strings.HasPrefix(a, "//") || strings.HasPrefix(b, "//")) && restA == restB && restA != ""
}

func (l *loader) ownServers(item, pointer string) []string {
	if own := serverURLs(l.root.At(pointer + "/servers")); own != nil {
		return own
	}
	return serverURLs(l.root.At(item + "/servers"))
}

// serverURLs returns the URLs of a list of servers, without a slash at their ends.
func serverURLs(list *jsontree.Value) []string {
	var out []string
	for _, s := range serversIn(list) {
		out = append(out, cmp.Or(strings.TrimRight(s.URL, "/"), s.URL))
	}
	return out
}
