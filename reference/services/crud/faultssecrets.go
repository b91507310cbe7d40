package crud

import "strings"

// secretFaults give away what only clients may set, where the schema of the answer is open.
func secretFaults() []Fault {
	return []Fault{
		{Name: "password-echoed", Clause: "/paths/~1users/post/responses/201", Requirements: strings.Fields("post-users-write-only-echoed"),
			Breaks: "createUser answers with the password that it was sent", Doc: "the answer is the request and an id",
			alter: func(c *call, a *answer) {
				if m, ok := a.value.(map[string]any); ok && c.op.name == "createUser" && a.status < 300 {
					m["password"] = c.sent()["password"]
				}
			}},
		history("password-shown", userAt, aboutUser+"write-only-kept", "getUser shows the password", "the row is written as it is",
			afterwards("getUser", func(c *call, a *answer) {
				if u := c.store.user(c.path["userId"]); u != nil {
					a.value.(map[string]any)["password"] = u.members["password"]
				}
			})),
	}
}
