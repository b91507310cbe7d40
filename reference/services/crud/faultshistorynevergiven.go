package crud

import (
	"net/http"
	"strconv"
	"time"
)

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
				p.keep(map[string]any{"name": "-", "code": "XX-0", "budget": whole(0)})
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
