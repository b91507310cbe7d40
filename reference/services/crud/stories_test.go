package crud

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// told is one request of a story. Its answer may give a name to the id or the place that
// it has; {name} stands for that in the requests behind it, and {etag} for the last tag.
type told struct {
	request
	keep string
}

func tell(q request) told              { return told{request: q} }
func keep(name string, q request) told { return told{q, name} }
func drop(target string) told          { return tell(request{method: "DELETE", target: target}) }
func put(body, match string) told {
	return tell(send("PUT", "/projects/{p}", jsonMedia, body, "If-Match: "+match))
}
func patch(body string) told { return tell(send("PATCH", "/projects/{p}", mergeMedia, body)) }

// fullProject and otherProject have every member.
func fullProject() string {
	return projectWith("name", `" a long name, of more than twenty letters "`, "budget", "12.37", "status", `"closed"`, "team", "400", "progress", "95", "starts", `"2026-03-01"`, "ends", `"2026-04-01"`,
		"description", `"a description of more than twenty letters 🌱"`, "archived", "true", "tags", `["b","a"]`, "milestones", `[{"title":"m","due":"2026-12-31T23:59:30.5+05:30"},{"title":"n"}]`,
		"contact", `{"email":"a@example.com"}`)
}

func otherProject() string {
	return projectWith("name", `"Bridge"`, "code", `"BR-2"`, "budget", "1e2", "status", `"active"`, "tags", `["c"]`, "milestones", `[{"title":"x"},{"title":"y"}]`, "contact", `{"website":"urn:x"}`, "description", `""`)
}

// stories are requests that belong together, by what they are about.
func stories() map[string][]told {
	another := "Authorization: Bearer " + OtherCredentials().Bearer
	project := func(name, body string) told { return keep(name, send("POST", "/projects", jsonMedia, body)) }
	task := func(body string) told { return keep("t", send("POST", "/projects/1/tasks", jsonMedia, body)) }
	read, one := tell(get("/projects/{p}")), tell(get("{t}"))
	full := bugWith("title", `"a title of more than twenty letters"`, "severity", "5", "steps", `["one","two"]`, "labels", `["ui","io"]`, "due", `"2026-01-02T03:04:05.5+05:30"`)
	note := func(text string) told { return tell(send("PUT", "{t}/note", "text/plain", text)) }
	var many []told
	for range 24 {
		many = append(many, tell(send("POST", "/users", jsonMedia, userWith())))
	}
	return map[string][]told{
		"many": append(many, tell(get("/users"))),
		"users": {
			keep("u", send("POST", "/users", jsonMedia, userWith("name", `"a long name, of more than twenty letters"`, "homepage", `"https://example.com/a/long/path"`, "birthday", `"2000-03-01"`, "role", `"admin"`,
				"avatar", `"aGVsbG8="`, "address", `{"street":"Way 1","city":"Ulm"}`))),
			tell(get("/users/{u}")), tell(get("/users")), tell(get("/users/" + nobody)),
			keep("u", send("POST", "/users", jsonMedia, userWith())), tell(get("/users/{u}")),
		},
		"projects": {
			project("q", projectWith()), project("p", fullProject()), tell(send("POST", "/projects/{q}/tasks", jsonMedia, bugWith())), tell(get("/projects/{q}/tasks")), read, tell(get("/projects/{q}")),
			put(otherProject(), "*"), read, put(projectWith("status", `"closed"`), "{etag}"), read, put(fullProject(), "{etag}"), read, tell(get("/projects/{q}")),
			patch(`{"description":null,"archived":false}`), read, patch(`{"tags":["z"],"description":"new"}`), read, patch(`{"name":" Bridge "}`), read, patch(`{"description":"cafe\u0301"}`), read, patch(`{"archived":false}`), read,
			tell(get("/projects?sort=-created")), tell(request{method: "HEAD", target: "/projects/{p}"}), keep("t", send("POST", "/projects/{p}/tasks", jsonMedia, bugWith())), tell(get("/projects/{p}/tasks")),
			drop("/projects/{p}"), read, tell(request{method: "HEAD", target: "/projects/{p}"}), patch(`{"name":"gone"}`), tell(get("/projects/{p}/tasks")), one,
			tell(send("POST", "/projects/{p}/tasks", jsonMedia, bugWith())), tell(get("/projects?sort=-created")), tell(searchFor("q=Bridge")), put(otherProject(), "*"), drop("/projects/{p}"),
			tell(get("/projects?limit=2&offset=1")), tell(get("/projects?status=active")), tell(get("/projects?status=closed")), tell(get("/projects?status=draft")), tell(get("/projects/1/tasks?state=open")),
			project("p", projectWith()), read, tell(get("/projects/777")),
		},
		"principals": {
			project("p", projectWith()), tell(get("/projects/{p}", another)), tell(send("PATCH", "/projects/{p}", mergeMedia, `{"budget":7}`, another)), read, task(bugWith()), tell(get("{t}", another)),
			keep("u", send("POST", "/users", jsonMedia, userWith())), tell(get("/users/{u}", another)), tell(get("/projects", another)), keep("q", send("POST", "/projects", jsonMedia, projectWith(), another)), tell(get("/projects/{q}")), tell(get("/files/f1.txt", another)),
			tell(send("PUT", "/projects/{p}", jsonMedia, projectWith("budget", "8"), "If-Match: *", another)), read, tell(get("/users", another)),
			tell(request{method: "DELETE", target: "{t}", lines: []string{another}}), one,
			tell(request{method: "DELETE", target: "/projects/{p}", lines: []string{another, "X-Desk-Key: " + OtherCredentials().DeskKey}}), read,
		},
		"again": {
			project("p", projectWith()), put(fullProject(), "*"), read, put(fullProject(), "*"), read,
			project("p", projectWith("createdAt", `"1971-02-03T04:05:06Z"`)), read, put(projectWith("createdAt", `"1972-02-03T04:05:06Z"`), "*"), read,
		},
		"emptied": {project("p", fullProject()), patch(`{"description":""}`), read},
		"refusals": {
			project("p", projectWith()), patch(`{"budget":7,"archived":[]}`), read, put(projectWith("budget", "8", "status", "7"), "*"), read,
			patch(`{"budget":9}`), patch(`{"budget":10,"archived":[]}`), read,
		},
		"changes": {
			project("q", projectWith()), project("p", fullProject()), patch(`{"budget":7,"tags":["z"]}`), put(projectWith(), "*"), read, patch(`{"budget":8}`), read, patch(`{"budget":9}`), read, patch(`{"budget":10}`), read,
			drop("/projects/{p}"), read, drop("/projects/{q}"), read, tell(get("/projects/{q}")),
		},
		"tasks": {
			task(bugWith()), one, task(full), one, tell(get("/projects/1/tasks")), tell(get("/projects/1/tasks?labels=zz%7Cui")), note("first"), tell(get("{t}/note")), tell(send("POST", "{t}/complete", "", "")), one,
			tell(send("POST", "{t}/archive", "", "")), one, drop("{t}"), one, tell(send("POST", "{t}/complete", "", "")), tell(get("{t}/note")), note("second"), tell(get("/projects/1/tasks")), tell(get("/projects/1/tasks?state=archived")), drop("{t}"),
			task(bugWith("labels", `["zz"]`)), tell(get("/projects/1/tasks?limit=1&labels=zz")),
			tell(get("/projects/1/tasks/" + nobody)),
		},
		"below": {
			project("p", projectWith()), tell(get("/projects/{p}/tasks?labels=ui")), tell(get("/projects/{p}/tasks")), tell(get("/projects/{p}" + strings.TrimPrefix(aTask, "/projects/1"))), task(full), one,
			tell(get("/projects/{p}/tasks?labels=ui")), tell(send("POST", "/projects/{p}"+strings.TrimPrefix(aTask, "/projects/1")+"/complete", "", "")), tell(get(aTask)), drop("/projects/{p}" + strings.TrimPrefix(aTask, "/projects/1")), tell(get(aTask)),
		},
		"long": {
			project("p", projectWith("tags", `["a","b","c","d","e","f","g","h"]`, "description", `"`+strings.Repeat("long ", 39)+`text"`)), read, put(projectWith("tags", `["h","g","f","e","d","c"]`), "*"), read,
		},
		"notes": {
			task(bugWith()), note("first"), tell(get("{t}/note")), note(strings.Repeat("long ", 60)), tell(get("{t}/note")), tell(get("/projects/1/tasks/" + doneID + "/note")),
		},
		"keys": {
			tell(get("/projects/1")), tell(get("/projects/4294967297")), task(bugWith()), one, tell(get("{t}wxyz")),
		},
		"files": {
			keep("f", upload("file", "a\r\nb", "ext", "txt")), tell(get("/files/{f}.txt")), tell(get("/files/{f}.bin")), tell(get("/files/nothing.bin")), tell(get("/files/f1.txt")),
		},
		"conditions": {
			project("p", projectWith()), put(otherProject(), "{etag}"), read, put(projectWith(), `"p2-1"`), patch(`{"budget":7}`), read, put(projectWith(), `"p2-2"`),
			tell(send("PATCH", "/projects/{p}", mergeMedia, `{"budget":8}`, `If-Match: "p2-1"`)), tell(get("/projects/{p}", `If-None-Match: "p2-1"`)), put(projectWith(), "{etag}"),
			// Two changes with one tag.
			project("p", projectWith()), put(otherProject(), `"p3-1"`), put(projectWith(), `"p3-1"`), read,
		},
		"pages": {
			project("p", projectWith()), project("p", fullProject()), project("p", otherProject()), tell(get("/projects?limit=2")), tell(get("/projects?limit=2&offset=2")), tell(get("/projects?status=closed")), tell(get("/projects?status=active")), tell(get("/projects?sort=-name")),
			tell(get("/projects?archived=false")), tell(get("/projects?tags=a,b")), tell(get("/projects?tags=a,c")), tell(get("/projects?sort=-created")), tell(get("/users?limit=1")),
			tell(get("/projects?createdAfter=2000-01-01")), tell(get("/projects?createdAfter=2999-01-01")), tell(get("/projects?budget[min]=50")), tell(get("/projects?budget[max]=12.37")), tell(get("/projects/1/tasks?dueBefore=2020-01-01T00:00:00Z")),
			tell(send("POST", "/users", jsonMedia, userWith())), tell(get("/users?limit=1")), tell(get("/users?limit=1&offset=1")), tell(get("/users?limit=1&offset=99")), tell(get("/projects/1/tasks?limit=1")), tell(get("/projects/1/tasks?limit=1&cursor=c1")),
			tell(get("/projects/1/tasks?state=completed")), put(fullProject(), "*"), tell(get("/projects")),
		},
	}
}

// run tells a story and returns the answers.
func (s *Running) run(t *testing.T, list []told) []reply {
	t.Helper()
	names, etag := map[string]string{}, `"none"`
	fill := func(text string) string {
		text = strings.ReplaceAll(text, "{etag}", etag)
		for name, value := range names {
			text = strings.ReplaceAll(text, "{"+name+"}", value)
		}
		return text
	}
	var out []reply
	for _, step := range list {
		q := step.request
		q.target = fill(q.target)
		q.lines = nil
		for _, line := range step.lines {
			q.lines = append(q.lines, fill(line))
		}
		r := s.send(t, q)
		require.NoError(t, r.err)
		if v := r.header.Get("ETag"); v != "" {
			etag = v
		}
		if step.keep != "" {
			names[step.keep] = r.header.Get("Location")
			if r.status != 201 {
				names[step.keep] = "/projects/1/tasks/" + nobody // what it belongs to was lost
			} else if m := regexp.MustCompile(`"(?:id|name)":"?([^",}]+)`).FindSubmatch(r.body); m != nil {
				names[step.keep] = string(m[1])
			}
		}
		out = append(out, r)
	}
	return out
}
