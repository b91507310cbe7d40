package crud

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// listProjects answers with a page of the projects that match.
func listProjects(c *call) *answer {
	c.requestID()
	limit, offset := c.limit(), c.offset()
	filters := c.projectFilters()
	order := "created"
	if p, at, given := c.query("sort"); given {
		order = p.value
		text{enum: []string{"name", "-name", "created", "-created"}}.check(c, at, order)
	}
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	all := filtered(c.store.projects, filters)
	switch order {
	case "name":
		slices.SortStableFunc(all, func(a, b *project) int { return cmp.Compare(a.name(), b.name()) })
	case "-name":
		slices.SortStableFunc(all, func(a, b *project) int { return cmp.Compare(b.name(), a.name()) })
	case "-created":
		slices.Reverse(all)
	}
	out := []any{}
	for _, p := range page(all, offset, limit) {
		out = append(out, p.shown(c.store))
	}
	a := found(http.StatusOK, out)
	a.header.Set("X-Total-Count", strconv.Itoa(len(all)))
	a.header.Set("ETag", c.weak(tag(encode(out))))
	return a
}

// projectFilters reads the filters of a list.
func (c *call) projectFilters() []func(*project) bool {
	var out []func(*project) bool
	if p, at, given := c.query("status"); given {
		text{enum: []string{"draft", "active", "closed"}}.check(c, at, p.value)
		out = append(out, func(q *project) bool { return q.members["status"] == p.value })
	}
	if p, at, given := c.query("archived"); given {
		want := c.flag(at, p.value)
		out = append(out, func(q *project) bool { return q.members["archived"] == want })
	}
	if p, at, given := c.query("createdAfter"); given {
		text{format: "date"}.check(c, at, p.value)
		out = append(out, func(q *project) bool {
			day := q.created.UTC().Format(time.DateOnly)
			return day > p.value || c.has("bounds-otherwise") && day == p.value
		})
	}
	if p, at, given := c.query("tags"); given {
		// An encoded comma is no separator.
		items := split(p.raw, ",")
		for i := range items {
			items[i], _ = url.QueryUnescape(items[i]) // readQuery has asked
		}
		list{min: 1, max: 5, unique: true, items: text{pattern: tagPattern}.is}.texts(c, at, items)
		out = append(out, func(q *project) bool {
			have, _ := q.members["tags"].([]any)
			return !slices.ContainsFunc(items, func(tag string) bool { return !slices.Contains(have, any(tag)) })
		})
	}
	return append(out, c.budgetFilters()...)
}

// budgetFilters reads the object budget.
func (c *call) budgetFilters() []func(*project) bool {
	var out []func(*project) bool
	for i, name := range []string{"min", "max"} {
		side := 2*i - 1
		p, _, given := c.query("budget[" + name + "]")
		if !given {
			continue
		}
		b := bounds{min: "0"}
		if side > 0 {
			b.max = "1000000"
		}
		b.text(c, "query/budget/"+name, p.value)
		if jsonNumber.MatchString(p.value) {
			want := decimal(p.value)
			out = append(out, func(q *project) bool {
				have, ok := q.members["budget"].(interface{ String() string })
				if !ok || c.has("bounds-otherwise") && decimal(have.String()).Cmp(want) == 0 {
					return false
				}
				return decimal(have.String()).Cmp(want) != side
			})
		}
	}
	for _, p := range c.pairs {
		if p.name == "budget" {
			c.must(false, "query/budget", "type", "must be an object")
		}
		if strings.HasPrefix(p.name, "budget[") && p.name != "budget[min]" && p.name != "budget[max]" {
			c.must(false, "query/budget", "additionalProperties", "has an unknown member")
		}
	}
	return out
}

// createProject makes a project.
func createProject(c *call) *answer {
	c.requestID()
	body, _ := c.json(projectSchema().is).(map[string]any)
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	p := &project{id: c.store.projectID(), created: time.Now()}
	c.store.projects = append(c.store.projects, p)
	p.keep(body)
	return c.projectAnswer(http.StatusCreated, p)
}

// getProject answers with a project, to HEAD too.
func getProject(c *call) *answer {
	c.requestID()
	c.store.Lock()
	defer c.store.Unlock()
	p := c.projectPath()
	if a := c.refused(); a != nil {
		return a
	}
	return c.projectAnswer(http.StatusOK, p)
}

// replaceProject replaces the version that If-Match names.
func replaceProject(c *call) *answer {
	c.requestID()
	body, _ := c.json(projectSchema().is).(map[string]any)
	return c.alterProject(true, func(p *project) { p.keep(with(map[string]any{"name": p.name()}, body)) })
}

// changeProject merges a patch; null removes a member.
func changeProject(c *call) *answer {
	c.requestID()
	body, _ := c.json(projectPatch().is).(map[string]any)
	return c.alterProject(false, func(p *project) {
		members := with(p.members, body)
		for name, v := range body {
			if v == nil {
				delete(members, name)
			}
		}
		p.keep(members)
	})
}

// alterProject changes a project if it is the one that the client means.
func (c *call) alterProject(conditional bool, change func(*project)) *answer {
	match, at, given := c.header("If-Match")
	if given {
		text{pattern: matchPattern}.check(c, at, match)
	}
	c.store.Lock()
	defer c.store.Unlock()
	p := c.projectPath()
	if a := c.refused(); a != nil {
		return a
	}
	switch {
	case !given && conditional && !c.has("if-match-optional"):
		return refusal(http.StatusPreconditionRequired, "If-Match is missing")
	case given && match != "*" && match != p.tag() && matchPattern.MatchString(match):
		return refusal(http.StatusPreconditionFailed, "somebody else has changed the project")
	}
	change(p)
	return c.projectAnswer(http.StatusOK, p)
}

// deleteProject deletes a project.
func deleteProject(c *call) *answer {
	c.store.Lock()
	defer c.store.Unlock()
	c.requestID()
	p := c.projectPath()
	if a := c.refused(); a != nil {
		return a
	}
	c.store.projects = slices.DeleteFunc(c.store.projects, func(q *project) bool { return p == q })
	return nothing(http.StatusNoContent)
}

func (c *call) projectAnswer(status int, p *project) *answer {
	a := found(status, p.shown(c.store))
	a.header.Set("ETag", p.tag())
	return a
}

// keep stores members with their defaults, as a new version.
func (p *project) keep(members map[string]any) {
	p.version++
	p.members = with(map[string]any{"status": "draft", "archived": false}, members, "id", "createdAt")
	delete(p.members, "id")
	delete(p.members, "createdAt")
}

func (p *project) name() string {
	name, _ := p.members["name"].(string)
	return name
}

// tag is the entity tag of this version.
func (p *project) tag() string {
	return `"p` + strconv.FormatInt(p.id, 10) + "-" + strconv.FormatInt(p.version, 10) + `"`
}

// shown is what readers see of a project.
func (p *project) shown(s *store) map[string]any {
	return with(p.members, map[string]any{"id": whole(p.id), "createdAt": s.stamp(p.created)}, "secret")
}

// projectSchema is the schema Project.
func projectSchema() object {
	members := sharedMembers()
	for name, judge := range map[string]check{
		"id":        readOnly(bounds{integer: true, long: true, min: "1"}.is),
		"createdAt": readOnly(text{format: "date-time"}.is),
		"code":      text{pattern: codePattern}.is,
		"team":      bounds{integer: true, above: "0", max: "500"}.is,
		"progress":  bounds{integer: true, min: "0", max: "100", step: "5"}.is,
		"starts":    text{format: "date"}.is,
		"milestones": list{min: 1, max: 5, items: object{required: []string{"title"}, closed: true, members: map[string]check{
			"title": text{min: 1, max: 40}.is,
			"due":   text{format: "date-time"}.is,
			"done":  boolean,
		}}.is}.is,
		"contact": object{closed: true, members: map[string]check{
			"email":   text{format: "email", max: 120}.is,
			"website": text{format: "uri", max: 200}.is,
		}}.is,
		"secret": text{min: 8, max: 40}.is,
	} {
		members[name] = judge
	}
	return object{required: []string{"name", "code", "budget"}, closed: true, members: members}
}

// projectPatch is the schema ProjectPatch.
func projectPatch() object { return object{closed: true, min: 1, members: sharedMembers()} }

// sharedMembers are in both schemas.
func sharedMembers() map[string]check {
	return map[string]check{
		"name":        text{min: 1, max: 80}.is,
		"status":      text{enum: []string{"draft", "active", "closed"}}.is,
		"budget":      bounds{min: "0", below: "1000000", step: "0.01"}.is,
		"ends":        nullable(text{format: "date"}.is),
		"description": nullable(text{max: 200}.is),
		"archived":    boolean,
		"tags":        list{max: 8, unique: true, items: text{pattern: tagPattern}.is}.is,
	}
}
