package crud

import (
	"net/http"
	"slices"
)

// longerFaults show only after several changes of one thing, or when a change is refused.
func longerFaults() []Fault {
	const put, patch = "replaceProject", "changeProject"
	read := func(name, requirement, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/get", aboutProject+requirement, breaks, doc, a)
	}
	// lostFrom keeps what was stored at the n-th change of a kind, and after that.
	lostFrom := func(op string, n int) around {
		return lived(op, func(l *life, is, _ map[string]any) map[string]any {
			if l.times(op) < n-1 {
				return is
			}
			return l.now()
		})
	}
	// onto merges a patch into an older version.
	onto := func(old, is, sent map[string]any) map[string]any {
		out := with(old, nil)
		for name := range sent {
			delete(out, name)
			if v, there := is[name]; there {
				out[name] = v
			}
		}
		return out
	}
	return []Fault{
		read("patch-second-lost", "stored-patched", "changeProject stores the first PATCH of a project alone", "the object is no longer attached to the session after the first save", lostFrom(patch, 2)),
		read("patch-third-lost", "stored-patched", "changeProject stores two changes of a project and no more", "the list of versions has two places", lostFrom(patch, 3)),
		read("put-second-lost", "stored-replaced", "replaceProject stores the first PUT of a project alone", "the mark of a change is set once and never taken away", lostFrom(put, 2)),
		read("patch-undoes-put", "patch-leaves-rest", "changeProject brings back the values from before a PUT", "a PATCH is merged into the object as it was loaded before the PUT",
			lived(patch, func(l *life, is, sent map[string]any) map[string]any {
				if i := l.last(put); i > 0 {
					return onto(l.stored[i-1], is, sent)
				}
				return is
			})),
		read("patch-undoes-patch", "patch-leaves-rest", "changeProject drops the changes of the PATCH before it", "each PATCH is merged into the version that the last PUT or POST made",
			lived(patch, func(l *life, is, sent map[string]any) map[string]any {
				if i := l.last(patch); i > 0 && i > l.last(put) {
					return onto(l.stored[i-1], is, sent)
				}
				return is
			})),
		read("put-under-patch", "stored-replaced", "replaceProject leaves what a PATCH has set", "patches are kept apart, and laid over what PUT stores",
			lived(put, func(l *life, is, _ map[string]any) map[string]any {
				out := with(is, nil)
				if i := l.last(patch); i >= 0 {
					for name := range l.sent[i] {
						if v, there := l.stored[i][name]; there {
							out[name] = v
						}
					}
				}
				return out
			})),
		read("patched-freezes", "stored-patched", "getProject gives a patched project as it was read first", "a PATCH clears the cache of the version that POST or PUT made",
			shownOf(func(l *life) map[string]any {
				changed := l.next(patch, l.last(put))
				if i := l.next("getProject", changed); changed >= 0 && i >= 0 {
					return l.stored[i]
				}
				return nil
			})),
		read("deleted-changed-cached", "gone", "a project that was read after a change can still be read when it is deleted", "the version is a part of the key in the cache, and DELETE clears the first",
			both(lives(), on("getProject", func(c *call, do func(*call) *answer) *answer {
				l, a := c.lifeOf(c.path["projectId"]), do(c)
				if l == nil || a.status != http.StatusNotFound || l.times(put)+l.times(patch) == 0 || l.next("getProject", max(l.last(put), l.last(patch))) < 0 {
					return a
				}
				return c.projectAnswer(http.StatusOK, l.project())
			}))),
		read("deleted-returns", "gone", "a deleted project can be read again when another one is deleted", "the trash has one place, and what was in it goes back",
			both(binned("deleteProject"), on("getProject", func(c *call, do func(*call) *answer) *answer {
				return c.beside(do, func(s *store) {
					if bin := c.store.bin(); len(bin) > 0 {
						s.restore(bin[:len(bin)-1])
					}
				})
			}))),
		history("deleted-changed-listed", "/paths/~1projects/get", "get-projects-unlisted", "a deleted project that was changed is still listed", "the list has a row for each version, and DELETE takes the first away",
			both(binned("deleteProject"), on("listProjects", func(c *call, do func(*call) *answer) *answer {
				return c.beside(do, func(s *store) {
					s.restore(slices.DeleteFunc(slices.Clone(c.store.bin()), func(b binnedThing) bool { return b.task != nil || b.project.version < 2 }))
				})
			}))),
		history("task-done-stays", taskAt+"/get", aboutTask+"gone", "a completed task can still be read when it is deleted", "done tasks have a table of their own, which DELETE does not know",
			both(remembers("completeTask", "done "), on("deleteTask", func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				done := c.store.memory["done "+c.request.URL.Path+"/complete"] != nil
				c.store.Unlock()
				if done {
					return c.beside(do, func(*store) {})
				}
				return do(c)
			}))),
		read("refused-takes-back", "refused-unchanged", "a PATCH that is refused takes back the one before it", "the first transaction stays open, and is rolled back with the second",
			refusing(patch, func(c *call, p *project) {
				if l := c.lifeOf(c.path["projectId"]); l != nil && l.last(patch) > max(0, l.last(put)) {
					p.members = l.stored[l.last(patch)-1]
				}
			})),
		read("refused-patch-stored", "refused-unchanged", "changeProject stores the valid members of a PATCH that it refuses", "each member is stored when it has been checked",
			refusing(patch, func(c *call, p *project) { p.members = with(p.members, c.valid(projectPatch())) })),
		read("refused-put-stored", "refused-unchanged", "replaceProject stores the valid members of a PUT that it refuses", "the object is filled from the body before it is checked",
			refusing(put, func(c *call, p *project) { p.members = with(p.members, c.valid(projectSchema())) })),
	}
}
