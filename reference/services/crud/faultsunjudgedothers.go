package crud

import (
	"bytes"
	"net/http"
	"slices"
)

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
			on("listProjects", func(c *call, do func(*call) *answer) *answer {
				return c.beside(do, func(s *store) { s.projects = s.projects[:min(1, len(s.projects))] })
			})),
		other("put-added", "/paths/~1projects/get", "replaceProject leaves a copy of the old version in the list", "a version is a row, and the list takes all",
			on(changes, func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				p, _ := c.named()
				var old project
				if p != nil {
					old = *p
				}
				c.store.Unlock()
				if c.op.name == "listProjects" {
					return c.beside(do, func(s *store) {
						c.store.Lock()
						defer c.store.Unlock()
						rows, _ := c.store.memory["old"].([]*project)
						s.projects = append(s.projects, rows...)
					})
				}
				a := do(c)
				if a.status == http.StatusOK && p != nil {
					c.store.Lock()
					defer c.store.Unlock()
					rows, _ := c.store.memory["old"].([]*project)
					c.store.memory["old"] = append(slices.Clip(rows), &old)
				}
				return a
			})),
	}
}

const changes = "replaceProject listProjects"
