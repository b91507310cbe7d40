package crud

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"plantstore/reference/kit"
)

// deletedFaults keep deleted projects somewhere.
func deletedFaults() []Fault {
	const remove = "deleteProject"
	return []Fault{
		history("delete-keeps", projectAt+"/get", aboutProject+"gone", "deleteProject answers 204 and deletes nothing", "the transaction is not committed",
			showing(remove, func(_ *call, _ *store) {})),
		history("deleted-cached", projectAt+"/get", aboutProject+"gone", "a deleted project that was read before can still be read", "DELETE does not clear the cache", cached("getProject", "replaceProject changeProject")),
		history("deleted-readable", projectAt+"/get", aboutProject+"gone", "a deleted project can still be read by its id", "the query by id does not ask for the mark of deletion", trashed(remove, "getProject")),
		history("deleted-blank", projectAt+"/get", aboutProject+"gone", "a deleted project is read as one without content", "the row is emptied and not deleted",
			both(binned(remove), showing("getProject", func(c *call, s *store) {
				s.restore(c.store.bin())
				for _, b := range c.store.bin() {
					if p := s.project(kit.Whole(b.project.id).String()); p != nil {
						p.members = with(p.members, map[string]any{"name": "-", "budget": kit.Whole(0)}, "tags", "contact", "description")
					}
				}
			}))),
		history("deleted-patchable", projectAt+"/patch", "patch-projects-projectid-gone", "a deleted project can still be patched", "only reading asks for the mark of deletion", trashed(remove, "changeProject")),
		history("deleted-listed", "/paths/~1projects/get", "get-projects-unlisted", "a deleted project is still listed", "the list comes from an index that DELETE does not change", trashed(remove, "listProjects")),
		history("deleted-tasks-listed", projectAt+"~1tasks/get", aboutProject+"tasks-gone", "the tasks of a deleted project can still be listed", "the tasks have a table of their own, and no foreign key", trashed(remove, "listTasks")),
		history("deleted-takes-tasks", projectAt+"~1tasks/post", "post-projects-projectid-tasks-gone", "a deleted project still takes tasks", "no foreign key", trashed(remove, "createTask")),
		history("delete-twice-500", projectAt+"/delete", "delete-projects-projectid-answered", "a second DELETE of one project is answered with 500", "nil is not asked for",
			crashesAfter(remove, remove)),
		history("deleted-500", projectAt+"/get", aboutProject+"answered", "a deleted project is answered with 500", "the index has an id that the table does not have",
			crashesAfter(remove, "getProject")),
	}
}

// partsDeletedFaults keep deleted tasks somewhere.
func partsDeletedFaults() []Fault {
	const remove = "deleteTask"
	// part names what an operation about a part of a deleted task does.
	part := func(name, method, at, breaks, doc, op string) Fault {
		return history(name, taskAt+"~1"+at+"/"+method, method+"-projects-projectid-tasks-taskid-"+at+"-gone", breaks, doc, trashed(remove, op))
	}
	const table = "it has a table of its own, and no foreign key"
	return []Fault{
		history("task-delete-keeps", taskAt+"/get", aboutTask+"gone", "deleteTask answers 204 and deletes nothing", "the WHERE clause matches nothing, and nobody counts",
			showing(remove, func(_ *call, _ *store) {})),
		history("deleted-tasks-readable", taskAt+"/get", aboutTask+"gone-above", "the tasks of a deleted project can still be read", "they have a table of their own, and no foreign key",
			trashed("deleteProject", "getTask")),
		history("task-delete-other", taskAt+"/get", aboutTask+"gone", "deleteTask deletes the first task of the project", "the list is sorted, and the index is that of the unsorted one",
			changed(remove, func(c *call) func(*answer) {
				p, t := c.named()
				if t == nil {
					return nil
				}
				return func(*answer) {
					p.tasks = append(p.tasks, t)
					p.tasks = slices.Delete(p.tasks, 0, min(1, len(p.tasks)-1))
				}
			})),
		history("task-deleted-cached", taskAt+"/get", aboutTask+"gone", "a deleted task that was read before can still be read", "DELETE does not clear the cache", cached("getTask", "completeTask archiveTask")),
		history("task-deleted-listed", projectAt+"~1tasks/get", aboutProject+"tasks-unlisted", "a deleted task is still listed", "the list comes from an index that DELETE does not change", trashed(remove, "listTasks")),
		part("task-deleted-completes", "post", "complete", "a deleted task can still be completed", "only reading asks for the mark of deletion", "completeTask"),
		part("task-deleted-note-readable", "get", "note", "the note of a deleted task can still be read", table, "readNote"),
		part("task-deleted-note-writable", "put", "note", "a note can be written to a deleted task", table, "writeNote"),
		history("task-delete-twice-500", taskAt+"/delete", "delete-projects-projectid-tasks-taskid-answered", "a second DELETE of one task is answered with 500", "nil is not asked for",
			crashesAfter(remove, remove)),
	}
}

// siblingFaults delete more than a request names.
func siblingFaults() []Fault {
	const remove, keptBy = "deleteTask", "siblings-kept"
	// gone lets a DELETE take away further tasks of the project.
	gone := func(further func(c *call, t *task) bool) around {
		return afterwards(remove, func(c *call, _ *answer) {
			p, _ := c.named()
			p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool { return further(c, t) })
		})
	}
	return []Fault{
		history("task-delete-all", taskAt+"/get", aboutTask+keptBy+" "+aboutProject+"tasks-"+keptBy, "deleteTask deletes all tasks of the project", "the condition of the statement has the project alone",
			gone(func(*call, *task) bool { return true })),
		history("task-delete-unlists", projectAt+"~1tasks/get", aboutProject+"tasks-"+keptBy, "after deleteTask listTasks lists no older task of the project", "the page is cached without its items, until a task is made",
			both(afterwards("deleteTask", func(c *call, _ *answer) { c.store.memory["emptied "+c.path["projectId"]] = true }),
				both(afterwards("createTask", func(c *call, _ *answer) { delete(c.store.memory, "emptied "+c.path["projectId"]) }),
					on("listTasks", func(c *call, do func(*call) *answer) *answer {
						if c.recall("emptied "+c.path["projectId"]) == nil {
							return do(c)
						}
						return c.beside(do, func(s *store) {
							if p := s.project(c.path["projectId"]); p != nil {
								p.tasks = nil
							}
						})
					})))),
	}
}

// whereMissing answers where an operation finds nothing. The store is locked.
func whereMissing(op string, find func(c *call) *answer) around {
	return on(op, func(c *call, do func(*call) *answer) *answer {
		a := do(c)
		if a.status != http.StatusNotFound {
			return a
		}
		c.store.Lock()
		defer c.store.Unlock()
		if other := find(c); other != nil {
			return other
		}
		return a
	})
}

// neverGivenFaults find something for ids that nobody was given.
func neverGivenFaults() []Fault {
	const firstOf = "the condition is lost, and the first row is taken"
	return []Fault{
		history("user-unknown-first", userAt, aboutUser+"never-given", "getUser answers an unknown id with the first user", firstOf,
			whereMissing("getUser", func(c *call) *answer {
				if len(c.store.users) == 0 {
					return nil
				}
				return found(http.StatusOK, c.store.users[0].shown())
			})),
		history("user-unknown-made", userAt, aboutUser+"never-given", "getUser makes a user for an unknown id", "a helper of the library finds or creates",
			whereMissing("getUser", func(c *call) *answer {
				u := &user{id: c.path["userId"], members: map[string]any{"name": "new", "email": "new@example.com", "role": "member"}}
				c.store.users = append(c.store.users, u)
				return found(http.StatusOK, u.shown())
			})),
		history("project-unknown-last", projectAt+"/get", aboutProject+"never-given "+aboutProject+"gone", "getProject answers an unknown id with the last project", "a search for the next larger id",
			whereMissing("getProject", func(c *call) *answer {
				if len(c.store.projects) == 0 {
					return nil
				}
				return c.projectAnswer(http.StatusOK, c.store.projects[len(c.store.projects)-1])
			})),
		history("project-unknown-blank", projectAt+"/get", aboutProject+"never-given "+aboutProject+"gone", "getProject answers an unknown id with a project without content", "a map gives the zero value for what it does not have",
			whereMissing("getProject", func(c *call) *answer {
				id := int64(within(c.path["projectId"], 1, 1, 1<<53-1))
				p := &project{id: id}
				p.keep(map[string]any{"name": "-", "code": "XX-0", "budget": kit.Whole(0)})
				return c.projectAnswer(http.StatusOK, p)
			})),
		history("task-unknown-first", taskAt+"/get", aboutTask+"never-given "+aboutTask+"gone", "getTask answers an unknown id with the first task", firstOf,
			whereMissing("getTask", func(c *call) *answer {
				p, _ := c.named()
				if p == nil || len(p.tasks) == 0 {
					return nil
				}
				return found(http.StatusOK, p.tasks[0].shown(p))
			})),
		history("project-put-makes", projectAt+"/put", "put-projects-projectid-put-missing put-projects-projectid-match-any", "replaceProject makes a project under an unknown id", "the statement inserts what it cannot update",
			whereMissing("replaceProject", func(c *call) *answer {
				id, err := strconv.ParseInt(c.path["projectId"], 10, 64)
				if err != nil {
					return nil
				}
				p := &project{id: id, version: 1, created: time.Now()}
				p.keep(c.valid(projectSchema()))
				c.store.projects = append(c.store.projects, p)
				return c.projectAnswer(http.StatusOK, p)
			})),
		history("file-unknown-empty", fileAt, "get-files-name-ext-never-given", "downloadFile answers an unknown name with an empty file", "the file is opened with a flag that makes it",
			whereMissing("downloadFile", func(*call) *answer {
				a := content("application/octet-stream", []byte{})
				a.header.Set("ETag", tag(nil))
				return a
			})),
		history("project-id-32-bits", projectAt+"/get", aboutProject+"never-given", "getProject reads 32 bits of an id", "the id is read into an integer of another size",
			readAs("getProject", "projectId", func(id string) string {
				n, err := strconv.ParseInt(id, 10, 64)
				if err != nil {
					return id
				}
				return strconv.Itoa(int(int32(n)))
			})),
		history("task-id-beginning", taskAt+"/get", aboutTask+"path-taskid-uuid", "getTask passes over what is behind an id", "the first 36 characters are read",
			readAs("getTask", "taskId", func(id string) string { return id[:min(len(id), 36)] })),
	}
}

// readAs reads a key in the path of an operation otherwise.
func readAs(op, name string, as func(string) string) around {
	return on(op, func(c *call, do func(*call) *answer) *answer {
		c.path[name] = as(c.path[name])
		return do(c)
	})
}

// belowFaults find what belongs to another project.
func belowFaults() []Fault {
	const list = projectAt + "~1tasks/get"
	const alone = "the row is found by its own id, and the project of the path is only checked to be there"
	return []Fault{
		history("task-below-any", taskAt+"/get", aboutTask+"below-other", "getTask finds a task below every project", alone, belowAny("getTask")),
		history("task-deleted-below-any", taskAt+"/get", aboutTask+"changed-below", "deleteTask deletes a task below every project", alone, belowAny("deleteTask")),
		history("task-completed-below-any", taskAt+"/get", aboutTask+"changed-below", "completeTask completes a task below every project", alone, belowAny("completeTask")),
		history("task-deleted-below-any-404", taskAt+"/get", aboutTask+"changed-below", "deleteTask answers 404 below another project, and deletes the task", "the check of the project comes after the statement",
			on("deleteTask", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				if a.status == 404 {
					_ = belowAny("deleteTask")(c, do)
				}
				return a
			})),
		history("tasks-of-all", list, aboutTasks+"listed-below", "listTasks lists the tasks of all projects", "the condition is lost when the query is changed",
			listsAll(func(*call) bool { return true })),
		history("tasks-of-all-labelled", list, aboutTasks+"listed-below", "listTasks with labels lists those of all projects", "an OR without brackets",
			listsAll(func(c *call) bool { _, _, given := c.query("labels"); return given })),
	}
}

// belowAny lets an operation find the task of the path below every project.
func belowAny(op string) around {
	return on(op, func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		p, t := c.named()
		owner := first(c.store.projects, func(q *project) bool { return q.task(c.path["taskId"]) != nil })
		c.store.Unlock()
		if p == nil || t != nil || owner == nil {
			return do(c)
		}
		given := c.path["projectId"]
		c.path["projectId"] = kit.Whole(owner.id).String()
		defer func() { c.path["projectId"] = given }()
		return do(c)
	})
}

// listsAll lists the tasks of all projects, where a request is one of those.
func listsAll(wrong func(c *call) bool) around {
	return on("listTasks", func(c *call, do func(*call) *answer) *answer {
		if !wrong(c) {
			return do(c)
		}
		return c.beside(do, func(s *store) {
			var all []*task
			for _, p := range s.projects {
				all = append(all, p.tasks...)
			}
			for _, p := range s.projects {
				p.tasks = all
			}
		})
	})
}
