package crud

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"plantstore/reference/kit"
)

// Variant keeps the document in an unusual way.
type Variant struct {
	Name string
	// Doc says what it does and why it may.
	Doc string
	// Wider reports whether it conforms to [WiderDocument] alone.
	Wider bool
	// Principals reports whether the service has two, who hide what they make from each other.
	Principals bool
	// Accepted are lines of the requirements file about it, beside those of the service.
	Accepted string
	// alter changes an answer, finish does so when its content is bytes.
	alter, finish func(*call, *answer)
	// around stands around the operations.
	around around
	// listen changes how connections are accepted.
	listen func(net.Listener) net.Listener
}

// Alone reports whether a single exchange shows the variant.
func (v Variant) Alone() bool {
	return !slices.ContainsFunc(slices.Concat(inStories(), limits()), func(other Variant) bool { return other.Name == v.Name })
}

// FindVariant returns the variant with that name.
func FindVariant(name string) (Variant, bool) {
	return kit.First(Variants(), func(v Variant) bool { return v.Name == name })
}

// Variants lists them all. Those without a function are switches in the code of
// the service: their names stand where they act.
func Variants() []Variant {
	return slices.Concat(judgments(), values(), answers(), connections(), inStories(), limits())
}

// inStories lists the variants that several exchanges show together.
func inStories() []Variant {
	return slices.Concat(stores(), replacements(), orders(), nestings(), delays(), accepting(), principals())
}

// judgments are about what the service takes and how it refuses the rest.
func judgments() []Variant {
	return []Variant{
		{Name: "not-found-first", Doc: "asks whether the path names something before it reads the rest: 404 comes before 400; both are documented"},
		{Name: "unprocessable", Doc: "answers 422 where a member of the body breaks its schema; 400 and 422 are documented"},
		{Name: "unknown-members-refused", Doc: "refuses unknown members of bodies whose schema leaves them open"},
		{Name: "unknown-query-refused", Doc: "refuses query parameters that the document does not name"},
		{Name: "other-base", Doc: "takes 0x10 for 16, 0o20 and 0b10000 too, in parameters and forms"},
		{Name: "leading-zeros", Doc: "takes 05 for 5 in parameters and forms"},
		{Name: "booleans-any-case", Doc: "takes TRUE for true in parameters and forms"},
		{Name: "fractions-refused", Doc: "refuses 1.0 and 1e2 where a body has an integer, as many parsers do"},
		{Name: "repeated-first", Doc: "takes the first of two query parameters of one name"},
		{Name: "repeated-last", Doc: "takes the last of two query parameters of one name"},
		{Name: "duplicate-names", Doc: "takes the last of two members of one name (RFC 8259, 4)"},
		{Name: "read-only-refused", Doc: "refuses readOnly members in a body; they are ignored or rejected (JSON Schema Validation, 9.4)"},
		{Name: "email-unique", Doc: "refuses a second user of one address with 409, as documented"},
	}
}

// values are about what the service stores and makes.
func values() []Variant {
	return []Variant{
		{Name: "random-ids", Doc: "ids of projects are random numbers of 53 bits"},
		{Name: "sequential-uuids", Doc: "ids of users and tasks count from 00000000-0000-4000-8000-000000000001"},
		{Name: "odd-times", Doc: "writes times with fractions and the offset +05:30"},
		{Name: "email-lower-case", Doc: "stores addresses in lower case"},
		{Name: "upper-case-uuids", Doc: "writes the letters of UUIDs in upper case; they have no case (RFC 9562, 4)", alter: upperIDs},
	}
}

// answers are about how a response is written.
func answers() []Variant {
	return []Variant{
		{Name: "weak-etag", Doc: "gives weak entity tags where no condition compares them"},
		{Name: "absolute-location", Doc: "Location has scheme and host"},
		{Name: "relative-location", Doc: "Location is relative to the path of the request (RFC 9110, 10.2.2)"},
		{Name: "public-location", Doc: "Location has the public name of the service, and tests reach it by another one"},
		{Name: "gateway-location", Doc: "Location has the prefix of the gateway that stands before the service, and tests go past it"},
		{Name: "lower-case-names", Doc: "writes the names of header fields in lower case"},
		{Name: "trailing-newline", Doc: "ends JSON with a newline", finish: onJSON(func(a *answer) { a.bytes = append(a.bytes, '\n') })},
		{Name: "indented", Doc: "indents JSON", finish: onJSON(func(a *answer) {
			var b bytes.Buffer
			_ = json.Indent(&b, a.bytes, "", "\t") // it was just encoded
			a.bytes = b.Bytes()
		})},
		{Name: "charset-parameter", Doc: "media types have charset=UTF-8", finish: onJSON(func(a *answer) { a.media += "; charset=UTF-8" })},
		{Name: "extra-headers", Doc: "sends fields that the document does not name", alter: func(_ *call, a *answer) {
			a.header.Set("X-Powered-By", "the desk")
			a.header.Set("Cache-Control", "no-store")
			a.header.Add("Set-Cookie", "seen=1; Path=/")
		}},
		{Name: "extra-members", Doc: "adds members where the schema of the answer is open", alter: extraMembers},
		{Name: "short-problems", Doc: "problems have only what is required", alter: func(_ *call, a *answer) {
			if m, ok := a.value.(map[string]any); ok && a.status >= 400 {
				a.value = map[string]any{"title": m["title"], "status": m["status"]}
			}
		}},
	}
}

// connections are about how bytes travel.
func connections() []Variant {
	return []Variant{
		{Name: "chunked", Doc: "sends content in chunks, without a length"},
		{Name: "gzip", Doc: "packs content for those who accept it", finish: pack},
		{Name: "length-on-204", Doc: "sends Content-Length: 0 with 204, as old servers do (RFC 9110, 8.6 says not to; clients take it)",
			alter: func(_ *call, a *answer) {
				if a.status == 204 {
					a.byHand = true
				}
			}},
		{Name: "closing", Doc: "closes the connection after each answer", alter: func(_ *call, a *answer) { a.header.Set("Connection", "close") }},
		{Name: "one-connection", Doc: "serves one connection at a time; the next waits until it is closed or idle for 100 ms", listen: func(ln net.Listener) net.Listener { return kit.LimitConnections(ln, 1) }},
		{Name: "slow", Doc: "waits 5 ms before each answer", alter: func(*call, *answer) { time.Sleep(5 * time.Millisecond) }},
	}
}

// onJSON changes answers that are JSON.
func onJSON(change func(*answer)) func(*call, *answer) {
	return func(_ *call, a *answer) {
		if a.value != nil {
			change(a)
		}
	}
}

// extraMembers adds to the objects of open schemas.
func extraMembers(c *call, a *answer) {
	add := func(v any) {
		if m, ok := v.(map[string]any); ok {
			m["_links"] = map[string]any{"self": c.request.URL.Path}
			m["extra"] = nil
		}
	}
	switch c.op.name {
	case "listUsers":
		if all, ok := a.value.([]any); ok {
			for _, v := range all {
				add(v)
			}
		}
	case "listProjects", "createProject", "getProject", "replaceProject", "changeProject", "sendFeedback":
		if a.status >= 400 {
			add(a.value)
		}
		return // closed
	}
	add(a.value)
}

// pack is gzip, for those who accept it.
func pack(c *call, a *answer) {
	if len(a.bytes) == 0 || !strings.Contains(c.request.Header.Get("Accept-Encoding"), "gzip") {
		return
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(a.bytes)
	_ = z.Close()
	a.bytes = b.Bytes()
	a.header.Set("Content-Encoding", "gzip")
	a.header.Set("Vary", "Accept-Encoding")
}

// upperIDs changes the ids of users and tasks.
func upperIDs(_ *call, a *answer) {
	var change func(v any) any
	change = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				if text, ok := member.(string); ok && (name == "id" || name == "receipt") && kit.UUID.MatchString(text) {
					v[name] = strings.ToUpper(text)
					continue
				}
				v[name] = change(member)
			}
		case []any:
			for i := range v {
				v[i] = change(v[i])
			}
		}
		return v
	}
	if a.value != nil {
		a.value = change(a.value)
	}
}

// orders are about what members have to do with each other.
func orders() []Variant {
	return []Variant{
		{Name: "dates-in-order", Doc: "lets a project start today, unless it ends sooner or the request has its start, and refuses with 422 what would let it end before it starts: also a patch with an earlier end alone",
			around: changed("createProject replaceProject changeProject", func(c *call) func(*answer) {
				var was project
				p, _ := c.named()
				if p != nil {
					was = *p
				}
				return func(a *answer) {
					is := c.madeProject(a)
					starts, _ := is.members["starts"].(string)
					ends, _ := is.members["ends"].(string)
					today := time.Now().UTC().Format(time.DateOnly)
					if starts == "" && (ends == "" || today < ends) {
						is.members = with(is.members, map[string]any{"starts": today})
						a.value = is.shown(c.store)
					}
					switch {
					case starts == "" || ends == "" || starts < ends:
						return
					case p == nil:
						c.store.projects = slices.DeleteFunc(c.store.projects, func(q *project) bool { return q == is })
					default:
						*is = was
					}
					*a = *refusal(http.StatusUnprocessableEntity, "it would end before it starts")
				}
			})},
	}
}

// replacements are about what a PUT makes of a project.
func replacements() []Variant {
	return []Variant{
		{Name: "put-keeps-rest", Doc: "PUT leaves optional members that it does not name; the wider document says so", Wider: true, Accepted: "operations:\n  replaceProject: {keepsRest: true}\n",
			around: instead("replaceProject", func(was, is, _ map[string]any) map[string]any { return with(was, is) })},
		{Name: "starts-fixed", Doc: "the start of a project stays as it was made, and PUT answers with it: a server may transform what it cannot change (RFC 9110, 9.3.4)",
			around: replacing(func(was, is map[string]any) map[string]any {
				if was["starts"] == nil {
					return with(is, nil, "starts")
				}
				return with(is, map[string]any{"starts": was["starts"]})
			})},
		{Name: "progress-computed", Doc: "the progress of a project is what the server computes of its milestones, whatever PUT gives, and PUT answers with it",
			around: replacing(func(_, is map[string]any) map[string]any {
				list, _ := is["milestones"].([]any)
				return with(is, map[string]any{"progress": kit.Whole(int64(5 * len(list)))})
			})},
		{Name: "put-same-version", Doc: "a PUT that changes nothing makes no new version, and the entity tag stays",
			around: on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				var was project
				if p, _ := c.named(); p != nil {
					was = *p
				}
				c.store.Unlock()
				a := do(c)
				c.store.Lock()
				defer c.store.Unlock()
				if p, _ := c.named(); p != nil && a.status < 300 && reflect.DeepEqual(p.members, was.members) {
					p.version = was.version
					a.header.Set("ETag", p.tag())
				}
				return a
			})},
		{Name: "put-fills-in", Doc: "PUT gives values of its own to the team and the description if they are left out",
			around: replacing(func(_, is map[string]any) map[string]any {
				return with(map[string]any{"team": kit.Whole(400), "description": "no description"}, is)
			})},
	}
}

// nestings are about what is below a project.
func nestings() []Variant {
	return []Variant{
		{Name: "task-elsewhere-forbidden", Doc: "answers 403 where a task belongs to another project; the wider document lists 403", Wider: true,
			around: on("getTask deleteTask completeTask archiveTask writeNote readNote", func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				p, t := c.named()
				owner := first(c.store.projects, func(q *project) bool { return q.task(c.path["taskId"]) != nil })
				c.store.Unlock()
				if a := do(c); p == nil || t != nil || owner == nil || a.status != http.StatusNotFound {
					return a
				}
				return refusal(http.StatusForbidden, "it belongs to another project")
			})},
		{Name: "tasks-numbered-by-project", Doc: "counts tasks within their project, which begins with two of its own: two tasks may have one id, and what is read below another project may be another task",
			around: both(afterwards("createProject", begin), afterwards("createTask", func(c *call, a *answer) {
				p, t := c.madeTask(a)
				old := t.id
				t.id = c.numbered(p)
				a.header.Set("Location", strings.Replace(a.header.Get("Location"), old, t.id, 1))
			}))},
		{Name: "tasks-go-on", Doc: "completes a task by itself once it was read twice, and answers 204 to a DELETE of what is not there: a state may change while others ask for something else",
			around: both(goesOn, on("deleteTask", func(c *call, do func(*call) *answer) *answer {
				if a := do(c); a.status != http.StatusNotFound {
					return a
				}
				return nothing(http.StatusNoContent)
			}))},
	}
}

// goesOn completes a task before it is read for the third time.
func goesOn(c *call, do func(*call) *answer) *answer {
	if c.op.name != "getTask" {
		return do(c)
	}
	c.store.Lock()
	if _, t := c.named(); t != nil {
		key := "reads of " + t.id
		n, _ := c.store.memory[key].(int)
		c.store.memory[key] = n + 1
		if n == 2 && t.state == "open" {
			t.state = "completed"
		}
	}
	c.store.Unlock()
	return do(c)
}

// begin gives a new project its first tasks.
func begin(c *call, a *answer) {
	p := c.madeProject(a)
	for _, title := range []string{"First steps", "Second steps"} {
		p.tasks = append(p.tasks, &task{id: c.numbered(p), state: "open", created: p.created, members: map[string]any{"kind": "bug", "title": title, "severity": kit.Whole(1)}})
	}
}

// numbered makes an id that counts within a project.
func (c *call) numbered(p *project) string {
	key := "tasks of " + kit.Whole(p.id).String()
	n, _ := c.store.memory[key].(int)
	c.store.memory[key] = n + 1
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", n+1)
}
