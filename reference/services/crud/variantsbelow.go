package crud

import (
	"fmt"
	"net/http"
	"strings"
)

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
		p.tasks = append(p.tasks, &task{id: c.numbered(p), state: "open", created: p.created, members: map[string]any{"kind": "bug", "title": title, "severity": whole(1)}})
	}
}

// numbered makes an id that counts within a project.
func (c *call) numbered(p *project) string {
	key := "tasks of " + whole(p.id).String()
	n, _ := c.store.memory[key].(int)
	c.store.memory[key] = n + 1
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", n+1)
}
