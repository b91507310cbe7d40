package crud

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"plantstore/reference/kit"
)

// listProjects answers with a page of the projects that match.
func listProjects(c *call) *answer {
	c.requestID()
	limit, offset := c.limit(), c.offset()
	filters := c.projectFilters()
	order := "created"
	if p, at, given := c.query("sort"); given {
		order = p.value
		kit.Text{Enum: []string{"name", "-name", "created", "-created"}}.Check(c, at, order)
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
	a.header.Set("ETag", c.weak(tag(kit.Encode(out))))
	return a
}

// projectFilters reads the filters of a list.
func (c *call) projectFilters() []func(*project) bool {
	var out []func(*project) bool
	if p, at, given := c.query("status"); given {
		kit.Text{Enum: []string{"draft", "active", "closed"}}.Check(c, at, p.value)
		out = append(out, func(q *project) bool { return q.members["status"] == p.value })
	}
	if p, at, given := c.query("archived"); given {
		want := c.flag(at, p.value)
		out = append(out, func(q *project) bool { return q.members["archived"] == want })
	}
	if p, at, given := c.query("createdAfter"); given {
		kit.Text{Format: "date"}.Check(c, at, p.value)
		out = append(out, func(q *project) bool {
			day := q.created.UTC().Format(time.DateOnly)
			return day > p.value || c.Has("bounds-otherwise") && day == p.value
		})
	}
	if p, at, given := c.query("tags"); given {
		// An encoded comma is no separator.
		items := split(p.raw, ",")
		for i := range items {
			items[i], _ = url.QueryUnescape(items[i]) // readQuery has asked
		}
		kit.List{Min: 1, Max: 5, Unique: true, Items: kit.Text{Pattern: tagPattern}.Is}.Texts(c, at, items)
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
		b := kit.Number{Min: "0"}
		if side > 0 {
			b.Max = "1000000"
		}
		b.Read(c, "query/budget/"+name, p.value)
		if kit.JSONNumber.MatchString(p.value) {
			want := kit.Decimal(p.value)
			out = append(out, func(q *project) bool {
				have, ok := q.members["budget"].(interface{ String() string })
				if !ok || c.Has("bounds-otherwise") && kit.Decimal(have.String()).Cmp(want) == 0 {
					return false
				}
				return kit.Decimal(have.String()).Cmp(want) != side
			})
		}
	}
	for _, p := range c.pairs {
		if p.name == "budget" {
			c.Must(false, "query/budget", "type", "must be an object")
		}
		if strings.HasPrefix(p.name, "budget[") && p.name != "budget[min]" && p.name != "budget[max]" {
			c.Must(false, "query/budget", "additionalProperties", "has an unknown member")
		}
	}
	return out
}

// createProject makes a project.
func createProject(c *call) *answer {
	c.requestID()
	body, _ := c.json(projectSchema().Is).(map[string]any)
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
	body, _ := c.json(projectSchema().Is).(map[string]any)
	return c.alterProject(true, func(p *project) { p.keep(with(map[string]any{"name": p.name()}, body)) })
}

// changeProject merges a patch; null removes a member.
func changeProject(c *call) *answer {
	c.requestID()
	body, _ := c.json(projectPatch().Is).(map[string]any)
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
		kit.Text{Pattern: matchPattern}.Check(c, at, match)
	}
	c.store.Lock()
	defer c.store.Unlock()
	p := c.projectPath()
	if a := c.refused(); a != nil {
		return a
	}
	switch {
	case !given && conditional && !c.Has("if-match-optional"):
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
	return with(p.members, map[string]any{"id": kit.Whole(p.id), "createdAt": s.stamp(p.created)}, "secret")
}

// projectSchema is the schema Project.
func projectSchema() kit.Object {
	members := sharedMembers()
	for name, judge := range map[string]kit.Schema{
		"id":        kit.ReadOnly(kit.Number{Integer: true, Long: true, Min: "1"}.Is),
		"createdAt": kit.ReadOnly(kit.Text{Format: "date-time"}.Is),
		"code":      kit.Text{Pattern: codePattern}.Is,
		"team":      kit.Number{Integer: true, Above: "0", Max: "500"}.Is,
		"progress":  kit.Number{Integer: true, Min: "0", Max: "100", Step: "5"}.Is,
		"starts":    kit.Text{Format: "date"}.Is,
		"milestones": kit.List{Min: 1, Max: 5, Items: kit.Object{Required: []string{"title"}, Closed: true, Members: map[string]kit.Schema{
			"title": kit.Text{Min: 1, Max: 40}.Is,
			"due":   kit.Text{Format: "date-time"}.Is,
			"done":  kit.Boolean,
		}}.Is}.Is,
		"contact": kit.Object{Closed: true, Members: map[string]kit.Schema{
			"email":   kit.Text{Format: "email", Max: 120}.Is,
			"website": kit.Text{Format: "uri", Max: 200}.Is,
		}}.Is,
		"secret": kit.Text{Min: 8, Max: 40}.Is,
	} {
		members[name] = judge
	}
	return kit.Object{Required: []string{"name", "code", "budget"}, Closed: true, Members: members}
}

// projectPatch is the schema ProjectPatch.
func projectPatch() kit.Object { return kit.Object{Closed: true, Min: 1, Members: sharedMembers()} }

// sharedMembers are in both schemas.
func sharedMembers() map[string]kit.Schema {
	return map[string]kit.Schema{
		"name":        kit.Text{Min: 1, Max: 80}.Is,
		"status":      kit.Text{Enum: []string{"draft", "active", "closed"}}.Is,
		"budget":      kit.Number{Min: "0", Below: "1000000", Step: "0.01"}.Is,
		"ends":        kit.Nullable(kit.Text{Format: "date"}.Is),
		"description": kit.Nullable(kit.Text{Max: 200}.Is),
		"archived":    kit.Boolean,
		"tags":        kit.List{Max: 8, Unique: true, Items: kit.Text{Pattern: tagPattern}.Is}.Is,
	}
}
