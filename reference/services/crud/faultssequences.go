package crud

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"plantstore/reference/kit"
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
			both(binned("deleteProject"), showing("getProject", func(c *call, s *store) {
				if bin := c.store.bin(); len(bin) > 0 {
					s.restore(bin[:len(bin)-1])
				}
			}))),
		history("deleted-changed-listed", "/paths/~1projects/get", "get-projects-unlisted", "a deleted project that was changed is still listed", "the list has a row for each version, and DELETE takes the first away",
			both(binned("deleteProject"), showing("listProjects", func(c *call, s *store) {
				s.restore(slices.DeleteFunc(slices.Clone(c.store.bin()), func(b binnedThing) bool { return b.task != nil || b.project.version < 2 }))
			}))),
		history("task-done-stays", taskAt+"/get", aboutTask+"gone", "a completed task can still be read when it is deleted", "done tasks have a table of their own, which DELETE does not know",
			both(remembers("completeTask"), on("deleteTask", func(c *call, do func(*call) *answer) *answer {
				if c.recall("completeTask "+c.request.URL.Path+"/complete") != nil {
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

// conditionFaults break what entity tags and conditions promise (RFC 9110, 8.8.3 and 13).
func conditionFaults() []Fault {
	condition := func(name, method, requirement, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/"+method, method+"-projects-projectid-"+requirement, breaks, doc, a)
	}
	// constant gives every version of a project one entity tag.
	constant := afterwards("createProject getProject headProject replaceProject changeProject", func(c *call, a *answer) {
		a.header.Set("ETag", `"project"`)
	})
	stays := func(c *call, a *answer) {
		if p, _ := c.named(); p != nil {
			p.version--
			a.header.Set("ETag", p.tag())
		}
	}
	unconditional := func(ops string) around {
		return on(ops, func(c *call, do func(*call) *answer) *answer {
			if matchPattern.MatchString(c.request.Header.Get("If-Match")) {
				c.request.Header.Set("If-Match", "*")
			}
			return do(c)
		})
	}
	return []Fault{
		condition("etag-constant", "get", "strong-etag", "the ETag of a project never changes", "the tag is made of what does not change", constant),
		condition("etag-put-stays", "get", "strong-etag", "the ETag of a project does not change with a PUT", "only PATCH counts the version",
			afterwards("replaceProject", stays)),
		condition("etag-patch-stays", "get", "strong-etag", "the ETag of a project does not change with a PATCH", "only PUT counts the version",
			afterwards("changeProject", stays)),
		condition("if-match-ignored", "put", "if-match", "replaceProject ignores the tag in If-Match", "the field is required and never compared", unconditional("replaceProject")),
		condition("if-match-ignored-patch", "patch", "if-match", "changeProject ignores If-Match", "only PUT compares it", unconditional("changeProject")),
		condition("if-match-weak", "put", "if-match", "replaceProject compares the beginning of the tag alone", "the version is cut off before the comparison",
			changed("replaceProject", func(c *call) func(*answer) {
				p, _ := c.named()
				if match := c.request.Header.Get("If-Match"); p != nil && len(match) > 2 && match[:2] == p.tag()[:2] {
					c.request.Header.Set("If-Match", p.tag())
				}
				return nil
			})),
		history("if-match-late", projectAt+"/get", aboutProject+"refused-unchanged", "replaceProject answers 412 to another tag and stores the project all the same", "the tag is compared when the answer is made, after the save",
			on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				match := c.request.Header.Get("If-Match")
				c.store.Lock()
				p, _ := c.named()
				other := p != nil && match != "*" && match != p.tag() && matchPattern.MatchString(match)
				c.store.Unlock()
				if !other {
					return do(c)
				}
				c.request.Header.Set("If-Match", "*")
				if a := do(c); a.status != http.StatusOK {
					return a
				}
				return refusal(http.StatusPreconditionFailed, "somebody else has changed the project")
			})),
		condition("if-match-any-made", "put", "match-any", "replaceProject with If-Match: * makes a deleted project again", "the asterisk is taken for no condition, and the statement is an upsert",
			both(binned("deleteProject"), on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				if a.status == http.StatusNotFound && c.request.Header.Get("If-Match") == "*" {
					bin := slices.DeleteFunc(slices.Clone(c.store.bin()), func(b binnedThing) bool {
						return b.task != nil || kit.Whole(b.project.id).String() != c.path["projectId"]
					})
					c.store.Lock()
					c.store.restore(bin)
					c.store.Unlock()
					return do(c)
				}
				return a
			}))),
		condition("lost-update", "put", "if-match", "the second of two PUTs with one tag is accepted, and the first is lost", "the tag is compared before the lock is taken",
			changed("replaceProject", func(c *call) func(*answer) {
				match, place := c.request.Header.Get("If-Match"), "lost "+c.path["projectId"]
				p, _ := c.named()
				if p != nil && c.store.memory[place] == match {
					c.request.Header.Set("If-Match", p.tag())
				} else if p != nil && match == p.tag() {
					c.store.memory[place] = match
				}
				return nil
			})),
	}
}

// headHistoryFaults answer HEAD unlike GET.
func headHistoryFaults() []Fault {
	const op = "headProject"
	at := projectAt + "/head"
	head := func(name, breaks, doc string, change func(c *call, a *answer)) Fault {
		return history(name, at, "head-projects-projectid-head-like-get", breaks, doc, afterwards(op, change))
	}
	return []Fault{
		history("deleted-head", at, "head-projects-projectid-gone", "HEAD still finds a deleted project", "HEAD has a handler of its own", trashed("deleteProject", op)),
		head("head-tag-old", "headProject answers a changed project with the ETag that it had before", "HEAD reads the version from an index that is written later",
			func(c *call, a *answer) {
				if p, _ := c.named(); p != nil && p.version > 1 {
					old := *p
					old.version--
					a.header.Set("ETag", old.tag())
				}
			}),
		head("head-length-zero", "headProject answers with Content-Length: 0", "the framework counts the body that it does not send",
			func(_ *call, a *answer) { a.header.Set("Content-Length", "0") }),
	}
}

// toldByHead is what HEAD may say of the body that GET has.
func toldByHead(_ *call, a *answer) {
	a.header.Set("Content-Length", strconv.Itoa(len(kit.Encode(a.value))))
}

// otherHistoryFaults are about tags, notes, states, files and what is read in other ways.
func otherHistoryFaults() []Fault {
	const remove = "deleteProject"
	other := func(name, at, breaks, doc string, a around) Fault { return history(name, at, "", breaks, doc, a) }
	return []Fault{
		other("etag-of-put-old", projectAt+"/put", "PUT answers with the ETag of the version before", "the answer is made before the version is counted",
			afterwards("replaceProject", func(c *call, a *answer) {
				if p, _ := c.named(); p != nil {
					p.version--
					a.header.Set("ETag", p.tag())
					p.version++
				}
			})),
		other("if-none-match-stale", projectAt+"/get", "getProject answers 304 to an ETag that the project had before", "the cache compares the id in the tag alone",
			on("getProject", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				old, tag := c.request.Header.Get("If-None-Match"), a.header.Get("ETag")
				if a.status == http.StatusOK && len(old) > 3 && len(tag) > 3 && old[:3] == tag[:3] {
					n := nothing(http.StatusNotModified)
					n.header.Set("ETag", tag)
					return n
				}
				return a
			})),
		other("user-other-id", userAt, "createUser answers with an id under which the user is not stored", "the database makes an id of its own",
			afterwards("createUser", func(c *call, a *answer) { c.madeUser(a).id = c.store.uuid() })),
		other("note-not-stored", taskAt+"~1note/get", "writeNote answers 204 and stores nothing", "the object is changed and not saved", noted(func(t *task, was, _ []byte) { t.note = was })),
		other("note-of-all", taskAt+"~1note/get", "the tasks of a project share a note", "the key lacks the task",
			afterwards("writeNote", func(c *call, _ *answer) {
				if p, t := c.named(); t != nil {
					for _, each := range p.tasks {
						each.note = t.note
					}
				}
			})),
		other("file-newlines", fileAt, "downloadFile gives a file with other ends of lines", "the file is written as text",
			afterwards("uploadFile", func(c *call, a *answer) {
				f := c.store.files[a.value.(map[string]any)["name"].(string)]
				f.bytes = bytes.ReplaceAll(f.bytes, []byte("\r\n"), []byte("\n"))
			})),
		other("file-latest", fileAt, "downloadFile gives the file that was uploaded last", "the path is kept for the session",
			afterwards("uploadFile", func(c *call, a *answer) {
				f := c.store.files[a.value.(map[string]any)["name"].(string)]
				for _, each := range c.store.files {
					each.bytes = f.bytes
				}
			})),
		other("file-unknown-any", fileAt, "downloadFile answers an unknown extension with the file of that name", "the folder is searched for the name alone",
			whereMissing("downloadFile", func(c *call) *answer {
				f := c.store.files[c.path["name"]]
				if f == nil {
					return nil
				}
				a := content("application/octet-stream", f.bytes)
				a.header.Set("ETag", tag(f.bytes))
				return a
			})),
		other("deleted-found", "/paths/~1search/get", "search still finds a deleted project", "the index of the search is not told", trashed(remove, "search")),
		other("created-unlisted", "/paths/~1projects/get", "listProjects does not list new projects", "the list is cached, and POST does not clear it",
			showing("listProjects", func(_ *call, s *store) { s.projects = s.projects[:min(1, len(s.projects))] })),
		other("put-added", "/paths/~1projects/get", "replaceProject leaves a copy of the old version in the list", "a version is a row, and the list takes all",
			both(changed("replaceProject", func(c *call) func(*answer) {
				p, _ := c.named()
				if p == nil {
					return nil
				}
				old := *p
				return func(*answer) {
					rows, _ := c.store.memory["old"].([]*project)
					c.store.memory["old"] = append(slices.Clip(rows), &old)
				}
			}), showing("listProjects", func(c *call, s *store) {
				rows, _ := c.recall("old").([]*project)
				s.projects = append(s.projects, rows...)
			}))),
	}
}
