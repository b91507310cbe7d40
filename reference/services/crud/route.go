package crud

import (
	"net/url"
	"slices"
	"strings"
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
