package crud

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"plantstore/reference/kit"
)

// stores are about what the service makes of the values that it is given, and of what
// it deletes.
func stores() []Variant {
	const writes = "createUser createProject replaceProject changeProject createTask"
	// kept changes the members that are stored, and those of the answer with them.
	kept := func(change func(map[string]any)) around {
		return afterwards(writes, func(c *call, a *answer) {
			switch c.op.name {
			case "createUser":
				change(c.madeUser(a).members)
			case "createTask":
				_, t := c.madeTask(a)
				change(t.members)
			default:
				p := c.madeProject(a)
				p.members = with(p.members, nil)
				change(p.members)
				a.value = p.shown(c.store)
			}
		})
	}
	// shown changes what readers see of a thing.
	shown := func(change func(op string, m map[string]any)) func(*call, *answer) {
		return func(c *call, a *answer) {
			if a.status >= 300 {
				return
			}
			switch v := a.value.(type) {
			case []any:
				for _, item := range v {
					change(c.op.name, item.(map[string]any))
				}
			case map[string]any:
				if items, ok := v["items"].([]any); ok {
					for _, item := range items {
						change(c.op.name, item.(map[string]any))
					}
					return
				}
				change(c.op.name, v)
			}
		}
	}
	return []Variant{
		{Name: "texts-trimmed", Doc: "stores names, titles and descriptions without blanks around them", around: kept(func(m map[string]any) {
			for _, name := range []string{"name", "title", "description"} {
				if text, ok := m[name].(string); ok && strings.TrimSpace(text) != "" {
					m[name] = strings.TrimSpace(text)
				}
			}
		})},
		{Name: "texts-composed", Doc: "stores names, titles and descriptions in Unicode normal form C", around: kept(func(m map[string]any) {
			for _, name := range []string{"name", "title", "description"} {
				if text, ok := m[name].(string); ok {
					m[name] = norm.NFC.String(text)
				}
			}
		})},
		{Name: "ids-reused", Doc: "gives a project the id behind the highest in use, as databases do: a deleted id may come again"},
		{Name: "times-in-utc", Doc: "stores times in UTC and to the second", around: kept(func(m map[string]any) {
			inUTC(m)
			if list, ok := m["milestones"].([]any); ok {
				list = slices.Clone(list)
				for i := range list {
					list[i] = with(list[i].(map[string]any), nil)
					inUTC(list[i].(map[string]any))
				}
				m["milestones"] = list
			}
		})},
		{Name: "tags-sorted", Doc: "stores tags and labels in order, each once", around: kept(func(m map[string]any) {
			for _, name := range []string{"tags", "labels"} {
				if list, ok := m[name].([]any); ok {
					list = slices.Clone(list)
					slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
					m[name] = slices.Compact(list)
				}
			}
		})},
		{Name: "cents-shown", Doc: "writes budgets with two decimals", alter: shown(func(_ string, m map[string]any) {
			if n, ok := m["budget"].(json.Number); ok {
				m["budget"] = json.Number(kit.Decimal(n.String()).FloatString(2))
			}
		})},
		{Name: "budget-as-number", Doc: "stores 1e2 as 100 and 5.0 as 5", around: kept(func(m map[string]any) {
			if n, ok := m["budget"].(json.Number); ok {
				m["budget"] = json.Number(strings.TrimSuffix(kit.Decimal(n.String()).FloatString(2), ".00"))
			}
		})},
		{Name: "emails-shortened", Doc: "readers see the first letter of an address alone", alter: shown(func(_ string, m map[string]any) {
			mask(m)
			if contact, ok := m["contact"].(map[string]any); ok {
				mask(contact)
			}
		})},
		{Name: "nulls-shown", Doc: "shows what is not there as null, where the schema has it", alter: shown(func(op string, m map[string]any) {
			var names []string
			switch op {
			case "getUser", "listUsers":
				names = []string{"birthday"}
			case "listProjects", "createProject", "getProject", "replaceProject", "changeProject":
				names = []string{"ends", "description"}
			case "getTask", "listTasks":
				names = []string{"assigneeId"}
			}
			for _, name := range names {
				if _, there := m[name]; !there {
					m[name] = nil
				}
			}
		})},
		{Name: "empty-left-out", Doc: "does not show empty texts and lists", alter: shown(func(_ string, m map[string]any) {
			for _, name := range []string{"description", "tags", "labels", "avatar", "contact"} {
				switch v := m[name].(type) {
				case string:
					if v == "" {
						delete(m, name)
					}
				case []any:
					if len(v) == 0 {
						delete(m, name)
					}
				case map[string]any:
					if len(v) == 0 {
						delete(m, name)
					}
				}
			}
		})},
		{Name: "etag-of-content", Doc: "the entity tag of a project is a hash of its content: the same content has the same tag again", around: contentTags},
		{Name: "head-says-length", Doc: "HEAD says how long the body of GET is", around: afterwards("headProject", toldByHead)},
		{Name: "put-deleted-412", Doc: "answers 412 where If-Match goes with a project that is not there: the condition is false (RFC 9110, 13.1.1)",
			around: on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				if a := do(c); a.status != http.StatusNotFound || c.request.Header.Get("If-Match") == "" {
					return a
				}
				return refusal(http.StatusPreconditionFailed, "there is no such project")
			})},
		{Name: "delete-again-204", Doc: "answers 204 to a DELETE of what is not there: the effect is the same (RFC 9110, 9.2.2)",
			around: on("deleteProject deleteTask", func(c *call, do func(*call) *answer) *answer {
				if a := do(c); a.status != http.StatusNotFound {
					return a
				}
				return nothing(http.StatusNoContent)
			})},
		{Name: "trash-listed", Doc: "lists deleted tasks for a while, with the time of their deletion",
			around: both(binned("deleteTask"), showing("listTasks", func(c *call, s *store) {
				bin := c.store.bin()
				for i := range bin {
					t := *bin[i].task
					t.members = with(t.members, map[string]any{"deletedAt": s.stamp(bin[i].at)})
					bin[i].task = &t
				}
				s.restore(bin)
			}))},
		{Name: "pages-capped", Doc: "gives at most ten items, whatever limit says",
			around: on("listUsers listProjects listTasks", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				switch v := a.value.(type) {
				case []any:
					a.value = v[:min(len(v), 10)]
				case map[string]any:
					if items, ok := v["items"].([]any); ok && len(items) > 10 {
						offset := 0
						if p, _, given := c.query("cursor"); given {
							offset = within(strings.TrimPrefix(p.value, "c"), 0, 0, 999999999)
						}
						v["items"], v["next"] = items[:10], "c"+kit.Whole(int64(offset+10)).String()
					}
				}
				return a
			})},
		{Name: "pages-short", Doc: "gives one item fewer than limit says, while there are more", around: asked("listUsers listProjects listTasks", func(q map[string]string) {
			if n := within(q["limit"], 20, 1, 100); n > 1 {
				q["limit"] = kit.Whole(int64(n - 1)).String()
			}
		})},
		{Name: "bounds-otherwise", Doc: "createdAfter and dueBefore include their bounds, budget[min] and budget[max] leave theirs out; the document does not say"},
		{Name: "newest-first", Doc: "lists the tasks that were made last before the others", around: showing("listTasks", func(_ *call, s *store) {
			for _, p := range s.projects {
				slices.Reverse(p.tasks)
			}
		})},
		{Name: "beyond-last", Doc: "gives the last user where offset is behind all of them", around: on("listUsers", func(c *call, do func(*call) *answer) *answer {
			c.store.Lock()
			n := len(c.store.users)
			c.store.Unlock()
			return asked("listUsers", func(q map[string]string) {
				if within(q["offset"], 0, 0, 1000000) >= n {
					q["offset"] = kit.Whole(int64(n - 1)).String()
				}
			})(c, do)
		})},
		{Name: "busy", Doc: "others make and delete users and projects all the time", around: busy},
	}
}

// inUTC writes a due time in UTC.
func inUTC(m map[string]any) {
	text, _ := m["due"].(string)
	if t, ok := kit.Moment(text); ok {
		m["due"] = t.UTC().Format(time.RFC3339)
	}
}

// mask hides an address but for its first letter.
func mask(m map[string]any) {
	if text, ok := m["email"].(string); ok {
		if at := strings.LastIndex(text, "@"); at > 1 && text[0] != '"' && text[0] < 0x80 {
			m["email"] = text[:1] + "***" + text[at:]
		}
	}
}

// contentTags gives projects tags by their content, and compares them.
func contentTags(c *call, do func(*call) *answer) *answer {
	tagOf := func(p *project) string {
		return tag(kit.Encode(with(p.shown(c.store), map[string]any{"secret": p.members["secret"]})))
	}
	c.store.Lock()
	p, _ := c.named()
	if match := c.request.Header.Get("If-Match"); p != nil && matchPattern.MatchString(match) && match != "*" {
		if match == tagOf(p) {
			c.request.Header.Set("If-Match", p.tag())
		} else {
			c.request.Header.Set("If-Match", `"other"`)
		}
	}
	c.store.Unlock()
	a := do(c)
	if a.header.Get("ETag") != "" && a.status < 300 && c.op.name != "listProjects" && c.op.name != "downloadFile" {
		c.store.Lock()
		defer c.store.Unlock()
		if p, _ := c.named(); p != nil {
			a.header.Set("ETag", tagOf(p))
		} else if c.op.name == "createProject" {
			a.header.Set("ETag", tagOf(c.madeProject(a)))
		}
	}
	return a
}

// busy lets somebody else make a user and a project before each request, and delete the
// older ones of their own.
func busy(c *call, do func(*call) *answer) *answer {
	const others = "somebody else"
	c.store.Lock()
	s := c.store
	mine := 0
	s.users = append(s.users, &user{id: s.uuid(), members: map[string]any{"name": others, "email": "else@example.com", "role": "lead"}})
	s.users = slices.DeleteFunc(slices.Clone(s.users), func(u *user) bool {
		if u.members["name"] == others {
			mine++
		}
		return u.members["name"] == others && mine == 1 && len(s.users) > 5
	})
	mine = 0
	p := &project{id: s.projectID(), created: time.Now()}
	p.keep(map[string]any{"name": others, "code": "ELSE-1", "budget": kit.Whole(1)})
	s.projects = append(s.projects, p)
	s.projects = slices.DeleteFunc(slices.Clone(s.projects), func(p *project) bool {
		if p.name() == others {
			mine++
		}
		return p.name() == others && mine == 1 && len(s.projects) > 5
	})
	c.store.Unlock()
	return do(c)
}
