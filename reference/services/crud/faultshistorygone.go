package crud

import "slices"

// deletedFaults keep deleted projects somewhere.
func deletedFaults() []Fault {
	const remove = "deleteProject"
	return []Fault{
		history("delete-keeps", projectAt+"/get", aboutProject+"gone", "deleteProject answers 204 and deletes nothing", "the transaction is not committed",
			on(remove, func(c *call, do func(*call) *answer) *answer {
				return c.beside(do, func(*store) {})
			})),
		history("deleted-cached", projectAt+"/get", aboutProject+"gone", "a deleted project that was read before can still be read", "DELETE does not clear the cache", cached("getProject", "replaceProject changeProject")),
		history("deleted-readable", projectAt+"/get", aboutProject+"gone", "a deleted project can still be read by its id", "the query by id does not ask for the mark of deletion", trashed(remove, "getProject")),
		history("deleted-blank", projectAt+"/get", aboutProject+"gone", "a deleted project is read as one without content", "the row is emptied and not deleted",
			both(binned(remove), on("getProject", func(c *call, do func(*call) *answer) *answer {
				return c.beside(do, func(s *store) {
					s.restore(c.store.bin())
					for _, b := range c.store.bin() {
						if p := s.project(whole(b.project.id).String()); p != nil {
							p.members = with(p.members, map[string]any{"name": "-", "budget": whole(0)}, "tags", "contact", "description")
						}
					}
				})
			}))),
		history("deleted-patchable", projectAt+"/patch", "patch-projects-projectid-gone", "a deleted project can still be patched", "only reading asks for the mark of deletion", trashed(remove, "changeProject")),
		history("deleted-listed", "/paths/~1projects/get", "get-projects-unlisted", "a deleted project is still listed", "the list comes from an index that DELETE does not change", trashed(remove, "listProjects")),
		history("deleted-tasks-listed", projectAt+"~1tasks/get", aboutProject+"tasks-gone", "the tasks of a deleted project can still be listed", "the tasks have a table of their own, and no foreign key", trashed(remove, "listTasks")),
		history("deleted-takes-tasks", projectAt+"~1tasks/post", "post-projects-projectid-tasks-gone", "a deleted project still takes tasks", "no foreign key", trashed(remove, "createTask")),
		history("delete-twice-500", projectAt+"/delete", "delete-projects-projectid-answered", "a second DELETE of one project is answered with 500", "nil is not asked for",
			both(remembers(remove, "gone "), crashesWhen(remove, marked("gone ")))),
		history("deleted-500", projectAt+"/get", aboutProject+"answered", "a deleted project is answered with 500", "the index has an id that the table does not have",
			both(remembers(remove, "gone "), crashesWhen("getProject", marked("gone ")))),
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
			on(remove, func(c *call, do func(*call) *answer) *answer { return c.beside(do, func(*store) {}) })),
		history("deleted-tasks-readable", taskAt+"/get", aboutTask+"gone-above", "the tasks of a deleted project can still be read", "they have a table of their own, and no foreign key",
			trashed("deleteProject", "getTask")),
		history("task-delete-other", taskAt+"/get", aboutTask+"gone", "deleteTask deletes the first task of the project", "the list is sorted, and the index is that of the unsorted one",
			on(remove, func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				p, t := c.named()
				c.store.Unlock()
				a := do(c)
				if a.status < 300 && t != nil {
					c.store.Lock()
					defer c.store.Unlock()
					p.tasks = append(p.tasks, t)
					p.tasks = slices.Delete(p.tasks, 0, min(1, len(p.tasks)-1))
				}
				return a
			})),
		history("task-deleted-cached", taskAt+"/get", aboutTask+"gone", "a deleted task that was read before can still be read", "DELETE does not clear the cache", cached("getTask", "completeTask archiveTask")),
		history("task-deleted-listed", projectAt+"~1tasks/get", aboutProject+"tasks-unlisted", "a deleted task is still listed", "the list comes from an index that DELETE does not change", trashed(remove, "listTasks")),
		part("task-deleted-completes", "post", "complete", "a deleted task can still be completed", "only reading asks for the mark of deletion", "completeTask"),
		part("task-deleted-note-readable", "get", "note", "the note of a deleted task can still be read", table, "readNote"),
		part("task-deleted-note-writable", "put", "note", "a note can be written to a deleted task", table, "writeNote"),
		history("task-delete-twice-500", taskAt+"/delete", "delete-projects-projectid-tasks-taskid-answered", "a second DELETE of one task is answered with 500", "nil is not asked for",
			both(remembers(remove, "gone "), crashesWhen(remove, marked("gone ")))),
	}
}
