package crud

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plantstore/reference/kit"
)

// operation is one of the document's.
type operation struct {
	name, method, path string
	// security lists the alternatives, each with all schemes that it needs.
	security [][]string
	// query lists the names of the query parameters.
	query []string
	// media is the media type of the request body, empty for none.
	media string
	do    func(*call) *answer
}

// operations lists them in the order of the document.
func operations() []operation {
	bearer, desk := [][]string{{"bearer"}}, [][]string{{"deskKey"}}
	const json, merge = "application/json", "application/merge-patch+json"
	const project, task = "/projects/{projectId}", "/projects/{projectId}/tasks/{taskId}"
	return []operation{
		{"listUsers", "GET", "/users", bearer, []string{"limit", "offset"}, "", listUsers},
		{"createUser", "POST", "/users", bearer, nil, json, createUser},
		{"getUser", "GET", "/users/{userId}", bearer, nil, "", getUser},
		{"listProjects", "GET", "/projects", [][]string{{"bearer"}, {"deskKey"}},
			[]string{"limit", "offset", "status", "archived", "createdAfter", "tags", "budget[min]", "budget[max]", "sort"}, "", listProjects},
		{"createProject", "POST", "/projects", bearer, nil, json, createProject},
		{"getProject", "GET", project, bearer, nil, "", getProject},
		{"headProject", "HEAD", project, bearer, nil, "", getProject},
		{"replaceProject", "PUT", project, bearer, nil, json, replaceProject},
		{"changeProject", "PATCH", project, bearer, nil, merge, changeProject},
		{"deleteProject", "DELETE", project, [][]string{{"bearer", "deskKey"}}, nil, "", deleteProject},
		{"listTasks", "GET", project + "/tasks", bearer, []string{"limit", "cursor", "state", "dueBefore", "labels"}, "", listTasks},
		{"createTask", "POST", project + "/tasks", bearer, nil, json, createTask},
		{"getTask", "GET", task, bearer, nil, "", getTask},
		{"deleteTask", "DELETE", task, bearer, nil, "", deleteTask},
		{"completeTask", "POST", task + "/complete", bearer, nil, "", completeTask},
		{"archiveTask", "POST", task + "/archive", bearer, nil, "", archiveTask},
		{"writeNote", "PUT", task + "/note", bearer, nil, "text/plain", writeNote},
		{"readNote", "GET", task + "/note", bearer, nil, "", readNote},
		{"uploadFile", "POST", "/files", bearer, nil, "multipart/form-data", uploadFile},
		{"downloadFile", "GET", "/files/{name}.{ext}", bearer, nil, "", downloadFile},
		{"getReport", "GET", "/reports/{year}-{month}.json", desk, nil, "", getReport},
		{"sendFeedback", "POST", "/feedback", nil, nil, "application/x-www-form-urlencoded", sendFeedback},
		{"search", "GET", "/search", [][]string{{"queryKey"}}, []string{"q", "in", "where", "api_key"}, "", search},
		{"getBadge", "GET", "/badges/{size}/{colors}", nil, nil, "", getBadge},
	}
}

// match finds the operation of a request and the texts of its path parameters,
// still percent-encoded. If the path has other methods, it returns those.
func (c *call) match() (op *operation, path map[string]string, methods []string) {
	given := c.request.URL.EscapedPath()
	for i := range c.routes {
		o := &c.routes[i]
		found, ok := matchPath(o.path, given)
		if !ok {
			continue
		}
		if o.method == c.request.Method {
			return o, found, nil
		}
		methods = append(methods, o.method)
	}
	if methods != nil {
		slices.Sort(methods)
		methods = []string{strings.Join(methods, ", ")}
	}
	return nil, nil, methods
}

// matchPath compares a path with a template, segment by segment. No parameter is
// empty.
func matchPath(template, given string) (map[string]string, bool) {
	want, got := strings.Split(template, "/"), strings.Split(given, "/")
	if len(want) != len(got) {
		return nil, false
	}
	found := map[string]string{}
	for i, w := range want {
		if !matchSegment(w, got[i], found) {
			return nil, false
		}
	}
	return found, true
}

// matchSegment compares one segment. The last separator counts, because no second
// parameter contains one.
func matchSegment(template, given string, found map[string]string) bool {
	before, rest, has := strings.Cut(template, "{")
	if !has {
		// A literal may be percent-encoded too.
		text, err := url.PathUnescape(given)
		return err == nil && text == template
	}
	name, rest, _ := strings.Cut(rest, "}")
	value, ok := strings.CutPrefix(given, before)
	if !ok {
		return false
	}
	if separator, second, two := strings.Cut(rest, "{"); two {
		other, tail, _ := strings.Cut(second, "}")
		if value, ok = strings.CutSuffix(value, tail); !ok {
			return false
		}
		at := strings.LastIndex(value, separator)
		if at < 1 || at+len(separator) == len(value) {
			return false
		}
		found[other], value = value[at+len(separator):], value[:at]
	}
	found[name] = value
	return value != ""
}

// answer is a response before it is written. Its content is a JSON value, or
// bytes, or nothing.
type answer struct {
	status int
	header http.Header
	media  string
	value  any
	bytes  []byte
	// forced is a body where HTTP allows none; byHand writes the response without
	// net/http, which would change it.
	forced string
	byHand bool
}

// nothing answers without content.
func nothing(status int) *answer { return &answer{status: status, header: http.Header{}} }

// found answers with a JSON value.
func found(status int, value any) *answer {
	return &answer{status: status, header: http.Header{}, media: "application/json", value: value}
}

// content answers with bytes.
func content(media string, b []byte) *answer {
	return &answer{status: http.StatusOK, header: http.Header{}, media: media, bytes: b}
}

// refusal answers with a problem (RFC 9457).
func refusal(status int, detail string) *answer {
	a := found(status, map[string]any{"type": "about:blank", "title": http.StatusText(status),
		"status": json.Number(strconv.Itoa(status)), "detail": detail})
	a.media = "application/problem+json"
	return a
}

// tag is a strong entity tag of bytes.
func tag(b []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return fmt.Sprintf(`"%016x"`, h.Sum64())
}

// weak makes a tag weak, as a variant does. Tags that If-Match compares stay strong
// (RFC 9110, 13.1.1).
func (c *call) weak(tag string) string {
	if c.Has("weak-etag") {
		return "W/" + tag
	}
	return tag
}

// write sends an answer. Where a path has X-Request-Id, a success repeats it.
func (c *call) write(w http.ResponseWriter, a *answer) {
	if id := c.request.Header.Get("X-Request-Id"); kit.UUID.MatchString(id) && c.op != nil && a.status < 300 && strings.Contains(c.op.name, "Project") {
		a.header.Set("X-Request-Id", id)
	}
	if a.value != nil && len(c.alters) > 0 {
		a.value = kit.Clone(a.value) // the store keeps the original
	}
	each(c.alters, c, a)
	if a.value != nil {
		a.bytes = kit.Encode(a.value)
	}
	each(c.finishes, c, a)
	if a.forced != "" || a.byHand {
		c.force(w, a)
		return
	}
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	if a.media != "" && c.request.Method != http.MethodHead {
		h.Set("Content-Type", a.media)
	} else {
		h["Content-Type"] = nil // or net/http guesses one
	}
	if c.Has("lower-case-names") {
		for name, values := range h {
			if values != nil {
				h[name] = nil
				h[strings.ToLower(name)] = values
			}
		}
	}
	w.WriteHeader(a.status)
	if flusher, ok := w.(http.Flusher); ok && c.Has("chunked") && len(a.bytes) > 0 {
		flusher.Flush() // before the length is known
	}
	if c.request.Method != http.MethodHead {
		_, _ = w.Write(a.bytes)
	}
}

// each makes every change, once the operation is known.
func each(changes []func(*call, *answer), c *call, a *answer) {
	for _, change := range changes {
		if change != nil && c.op != nil {
			change(c, a)
		}
	}
}

// force writes a response that net/http refuses to write.
func (c *call) force(w http.ResponseWriter, a *answer) {
	conn, buffer, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err) // only HTTP/1.1 is served
	}
	defer conn.Close()
	fmt.Fprintf(buffer, "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Length: %d\r\n", a.status, http.StatusText(a.status), len(a.forced))
	_ = a.header.Write(buffer)
	fmt.Fprintf(buffer, "\r\n%s", a.forced)
	_ = buffer.Flush()
}
