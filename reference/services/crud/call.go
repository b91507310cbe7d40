package crud

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// call is one request on its way to an answer. It collects everything that is
// wrong with the request; [call.refused] then chooses the answer.
type call struct {
	*server
	request *http.Request
	op      *operation
	path    map[string]string
	pairs   []pair
	body    []byte
	// problems are what breaks the document.
	problems []any
	// early is a refusal that comes before the problems; missing says that what
	// the path names does not exist.
	early   *answer
	missing bool
}

// pair is one query parameter, raw and decoded.
type pair struct{ name, raw, value string }

// must notes that a request breaks a keyword at a place, unless this check is
// left out. It returns ok.
func (c *call) must(ok bool, at, keyword, message string) bool {
	if !ok && !c.skips[c.op.name+"/"+at+"/"+keyword] {
		c.problems = append(c.problems, map[string]any{"at": at, "message": message})
	}
	return ok
}

// refused returns the answer to a request that cannot be served, or nil. A wrong
// media type comes before what breaks the document, and that before what does not
// exist.
func (c *call) refused() *answer {
	switch {
	case c.early != nil:
		return c.early
	case c.missing && (len(c.problems) == 0 || c.has("not-found-first")):
		return refusal(http.StatusNotFound, "there is no such thing")
	case len(c.problems) == 0:
		return nil
	}
	status := http.StatusBadRequest
	if c.has("unprocessable") && c.op.media != "" && c.op.name != "writeNote" && c.inBody() {
		status = http.StatusUnprocessableEntity
	}
	a := refusal(status, "the request breaks the document")
	a.value.(map[string]any)["errors"] = c.problems
	return a
}

// inBody reports whether all problems are in a body that was read.
func (c *call) inBody() bool {
	return !slices.ContainsFunc(c.problems, func(p any) bool {
		return !strings.HasPrefix(p.(map[string]any)["at"].(string), "body/")
	})
}

// readQuery splits the query. A parameter that is not the operation's is
// ignored, or refused where the variant asks for it.
func (c *call) readQuery() {
	for _, part := range strings.Split(c.request.URL.RawQuery, "&") {
		if part == "" {
			continue
		}
		rawName, raw, _ := strings.Cut(part, "=")
		name, err1 := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(raw)
		if !c.must(err1 == nil && err2 == nil, "query", "encoding", "must be percent-encoded") {
			continue
		}
		c.pairs = append(c.pairs, pair{name, raw, value})
		if c.has("unknown-query-refused") {
			c.must(slices.Contains(c.op.query, name) || strings.HasPrefix(name, "budget"), "query/"+name, "name", "is no parameter here")
		}
	}
}

// query returns a query parameter. One that is there twice is refused, unless a
// variant says which one counts.
func (c *call) query(name string) (p pair, at string, given bool) {
	at = "query/" + name
	var all []pair
	for _, p := range c.pairs {
		if p.name == name {
			all = append(all, p)
		}
	}
	switch {
	case len(all) == 0:
		return p, at, false
	case len(all) > 1 && c.has("repeated-last"):
		return all[len(all)-1], at, true
	case len(all) > 1 && !c.has("repeated-first"):
		c.must(false, at, "repeated", "must be there once")
	}
	return all[0], at, true
}

// header returns a header field; several lines are one list (RFC 9110, 5.3).
func (c *call) header(name string) (value, at string, given bool) {
	lines := c.request.Header.Values(name)
	return strings.Join(lines, ","), "header/" + name, len(lines) > 0
}

// cookie returns the first cookie with that name.
func (c *call) cookie(name string) (value, at string, given bool) {
	for _, line := range c.request.Header.Values("Cookie") {
		for _, part := range strings.Split(line, ";") {
			if n, raw, _ := strings.Cut(strings.TrimSpace(part), "="); n == name {
				value, err := url.PathUnescape(raw)
				c.must(err == nil, "cookie/"+name, "encoding", "must be percent-encoded")
				return value, "cookie/" + name, true
			}
		}
	}
	return "", "cookie/" + name, false
}

// segment returns a path parameter, decoded.
func (c *call) segment(name string) (value, at string) {
	value, err := url.PathUnescape(c.path[name])
	c.must(err == nil, "path/"+name, "encoding", "must be percent-encoded")
	return value, "path/" + name
}

// requestID checks the field X-Request-Id where the path has it.
func (c *call) requestID() {
	if value, at, given := c.header("X-Request-Id"); given {
		text{format: "uuid"}.check(c, at, value)
	}
}
