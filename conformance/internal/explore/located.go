package explore

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// Located returns the address of a thing by the Location of the answer that made it, with its
// query and from the root of the server. It is empty if that is the address of the request,
// which reads the thing, or one that the request says nothing about: that of another
// server, one of another kind, or the same below a longer prefix, as what stands before the
// server may add it (RFC 9110, 10.2.2 and 15.3.2). That of a 202 must end with the key of
// the thing: it may name a job else.
func (t *Target) Located(thing *Thing, m *message.Message) string {
	response := thing.by.e.Response
	given := response.Values("Location")
	later := response.Status == http.StatusAccepted
	if response.Status != http.StatusCreated && !later || len(given) != 1 {
		return ""
	}
	target := t.Endpoint.Target
	base, err := url.Parse(target.String() + thing.by.message.Path())
	if err != nil {
		return ""
	}
	to, err := base.Parse(given[0])
	if err != nil || to.Scheme != base.Scheme || !strings.EqualFold(to.Host, base.Host) {
		return ""
	}
	own, err := url.PathUnescape(target.Prefix + m.Path())
	is := strings.TrimSuffix(to.Path, "/")
	nested := strings.HasPrefix(is, strings.TrimSuffix(base.Path, "/")+"/") && strings.TrimSuffix(own, "/") != is
	if err != nil || is == "" || !nested && strings.HasSuffix(is, strings.TrimSuffix(own, "/")) {
		return ""
	}
	below, found := strings.CutPrefix(to.EscapedPath(), target.Prefix)
	if (later || !(found && m.Fits(below))) && !names(path.Base(to.Path), m.Key()) {
		return ""
	}
	to.Fragment, to.RawFragment = "", ""
	return to.RequestURI()
}

// names reports whether the end of a path is the key of a thing.
func names(end string, key *jsontree.Value) bool {
	return key != nil && (key.Kind == jsontree.String || key.Kind == jsontree.Number) && key.Text == end
}
