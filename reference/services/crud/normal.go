package crud

import (
	"slices"
	"strings"
	"time"
)

// inUTC writes a due time in UTC.
func inUTC(m map[string]any) {
	text, _ := m["due"].(string)
	if t, ok := moment(text); ok {
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
		return tag(encode(with(p.shown(c.store), map[string]any{"secret": p.members["secret"]})))
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
	p.keep(map[string]any{"name": others, "code": "ELSE-1", "budget": whole(1)})
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
