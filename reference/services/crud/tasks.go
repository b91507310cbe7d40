package crud

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"plantstore/reference/kit"
)

// pipes separate the items of a pipeDelimited array, encoded or not.
var pipes = regexp.MustCompile(`\||%7[cC]`)

// listTasks answers with a page of the tasks of a project that match.
func listTasks(c *call) *answer {
	limit, offset := c.limit(), 0
	if p, at, given := c.query("cursor"); given {
		kit.Text{Pattern: cursorPattern}.Check(c, at, p.value)
		offset = within(strings.TrimPrefix(p.value, "c"), 0, 0, 999999999)
	}
	filters := c.taskFilters()
	c.store.Lock()
	defer c.store.Unlock()
	project := c.projectPath()
	if a := c.refused(); a != nil {
		return a
	}
	all := filtered(project.tasks, filters)
	items := []any{}
	for _, t := range page(all, offset, limit) {
		items = append(items, t.shown(project))
	}
	var next any
	if offset+len(items) < len(all) && len(items) > 0 {
		next = fmt.Sprintf("c%d", offset+len(items))
	}
	a := found(http.StatusOK, map[string]any{"items": items, "next": next})
	a.header.Set("X-Total-Count", strconv.Itoa(len(all)))
	return a
}

// taskFilters reads the filters of a list.
func (c *call) taskFilters() []func(*task) bool {
	var out []func(*task) bool
	if p, at, given := c.query("state"); given {
		kit.Text{Enum: []string{"open", "completed", "archived"}}.Check(c, at, p.value)
		out = append(out, func(t *task) bool { return t.state == p.value })
	}
	if p, at, given := c.query("dueBefore"); given {
		kit.Text{Format: "date-time"}.Check(c, at, p.value)
		want, _ := kit.Moment(p.value)
		out = append(out, func(t *task) bool {
			due, _ := t.members["due"].(string)
			have, ok := kit.Moment(due)
			return ok && (have.Before(want) || c.Has("bounds-otherwise") && have.Equal(want))
		})
	}
	if p, at, given := c.query("labels"); given {
		items := split(pipes.ReplaceAllString(p.raw, "|"), "|")
		kit.List{Min: 1, Max: 4, Items: kit.Text{Min: 2, Max: 12, Pattern: lettersPattern}.Is}.Texts(c, at, items)
		out = append(out, func(t *task) bool {
			have, _ := t.members["labels"].([]any)
			return slices.ContainsFunc(items, func(label string) bool { return slices.Contains(have, any(label)) })
		})
	}
	return out
}

// createTask answers with the place of the task alone.
func createTask(c *call) *answer {
	body, _ := c.json(newTask).(map[string]any)
	c.store.Lock()
	defer c.store.Unlock()
	p := c.projectPath()
	if a := c.refused(); a != nil {
		return a
	}
	if id, given := body["assigneeId"].(string); given && kit.UUID.MatchString(id) && c.store.user(id) == nil {
		return refusal(http.StatusUnprocessableEntity, "the assignee is no user")
	}
	t := &task{id: c.store.uuid(), state: "open", created: time.Now(), members: with(map[string]any{"title": "task"}, body)}
	if kind := body["kind"]; kind != "bug" && kind != "feature" {
		t.members["kind"] = "bug"
	}
	if id, given := body["assigneeId"].(string); given && !kit.UUID.MatchString(id) {
		t.members["assigneeId"] = nil
	}
	p.tasks = append(p.tasks, t)
	a := nothing(http.StatusCreated)
	place := fmt.Sprintf("/projects/%d/tasks/%s", p.id, t.id)
	switch {
	case c.Has("absolute-location"):
		place = "http://" + c.request.Host + place
	case c.Has("relative-location"):
		place = "tasks/" + t.id
	case c.Has("public-location"):
		place = "https://desk.example" + place
	case c.Has("gateway-location"):
		place = "/desk/v1" + place
	}
	a.header.Set("Location", place)
	return a
}

// getTask answers with a task.
func getTask(c *call) *answer {
	return c.withTask(func(p *project, t *task) *answer { return found(http.StatusOK, t.shown(p)) })
}

// deleteTask deletes a task.
func deleteTask(c *call) *answer {
	return c.withTask(func(p *project, t *task) *answer {
		p.tasks = slices.DeleteFunc(p.tasks, func(other *task) bool { return other == t })
		return nothing(http.StatusNoContent)
	})
}

// completeTask completes a task, even a completed one.
func completeTask(c *call) *answer {
	return c.turnTask("completed", "archived", "the task is archived")
}

// archiveTask archives a completed task, even an archived one.
func archiveTask(c *call) *answer {
	return c.turnTask("archived", "open", "the task is not completed")
}

// turnTask changes the state of a task, unless the old state forbids that.
func (c *call) turnTask(state, forbids, why string) *answer {
	return c.withTask(func(p *project, t *task) *answer {
		if t.state == forbids {
			return refusal(http.StatusConflict, why)
		}
		t.state = state
		return found(http.StatusOK, t.shown(p))
	})
}

// writeNote keeps a note byte for byte.
func writeNote(c *call) *answer {
	if c.early == nil && c.body != nil && c.Must(utf8.Valid(c.body), "body", "encoding", "must be UTF-8") {
		kit.Text{Min: 1, Max: 500}.Check(c, "body", string(c.body))
	}
	return c.withTask(func(_ *project, t *task) *answer {
		t.note = c.body
		return nothing(http.StatusNoContent)
	})
}

// readNote answers with the note, once there is one.
func readNote(c *call) *answer {
	return c.withTask(func(_ *project, t *task) *answer {
		if t.note == nil {
			return refusal(http.StatusNotFound, "the task has no note")
		}
		return content("text/plain; charset=utf-8", t.note)
	})
}

// withTask does something with the task of the path.
func (c *call) withTask(do func(*project, *task) *answer) *answer {
	c.store.Lock()
	defer c.store.Unlock()
	p, t := c.taskPath()
	if a := c.refused(); a != nil {
		return a
	}
	return do(p, t)
}

// shown is what readers see of a task.
func (t *task) shown(p *project) map[string]any {
	return with(t.members, map[string]any{"id": t.id, "projectId": kit.Whole(p.id), "state": t.state})
}

// newTask is the schema NewTask: the kind says which of two.
func newTask(c kit.Judge, at string, v any) any {
	members := map[string]kit.Schema{
		"kind":       kit.Text{Enum: []string{"bug", "feature"}}.Is,
		"title":      kit.Text{Min: 1, Max: 100}.Is,
		"assigneeId": kit.Nullable(kit.Text{Format: "uuid"}.Is),
		"labels":     kit.List{Max: 6, Items: kit.Text{Min: 2, Max: 12, Pattern: lettersPattern}.Is}.Is,
		"due":        kit.Text{Format: "date-time"}.Is,
	}
	given, _ := v.(map[string]any)
	switch given["kind"] {
	case "feature":
		members["value"] = kit.Text{Enum: []string{"low", "medium", "high"}}.Is
		return kit.Object{Required: []string{"kind", "title", "value"}, Closed: true, Members: members}.Is(c, at, v)
	case "bug":
		members["severity"] = kit.Number{Integer: true, Min: "1", Max: "5"}.Is
		members["steps"] = kit.List{Min: 1, Max: 10, Items: kit.Text{Min: 1, Max: 120}.Is}.Is
		return kit.Object{Required: []string{"kind", "title", "severity"}, Closed: true, Members: members}.Is(c, at, v)
	}
	if _, named := given["kind"].(string); !named {
		c.Must(false, at, "type", "must be an object with a kind")
	}
	c.Must(false, at, "oneOf", "must be a bug or a feature")
	return given
}
