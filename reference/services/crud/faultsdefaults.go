package crud

import "strings"

// defaultFaults give what a request leaves out another value than its default.
func defaultFaults() []Fault {
	return []Fault{
		{Name: "status-default", Clause: "/components/schemas/Project/properties/status/default", Requirements: strings.Fields("post-projects-default-applied"),
			Breaks: "createProject takes a project without status for an active one", Doc: "the default is that of the database",
			alter: func(c *call, a *answer) {
				m, ok := a.value.(map[string]any)
				if _, given := c.sent()["status"]; !ok || given || c.op.name != "createProject" || a.status >= 300 {
					return
				}
				m["status"] = "active"
				c.store.Lock()
				defer c.store.Unlock()
				for _, p := range c.store.projects {
					if p.id == m["id"] {
						p.members["status"] = "active"
					}
				}
			}},
	}
}
