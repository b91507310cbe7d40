package crud

import (
	"slices"
	"strings"

	"plantstore/reference/kit"
)

// Fault breaks one clause of the document in a single exchange, or a promise that
// several exchanges make together.
type Fault struct {
	Name string
	// Clause is the JSON pointer of what is broken, Breaks says how in a sentence.
	Clause, Breaks string
	// Doc says how software comes to have it.
	Doc string
	// skips is a check that is left out, as operation/place/keyword; alter changes
	// an answer. Without both the code of the service has a switch of the name.
	skips string
	alter func(*call, *answer)
	// Requirements names the requirements that break, where the clause does not tell: the
	// nearest first, then those that follow from it. Where several exchanges show the fault,
	// its clause is the operation that shows it.
	Requirements []string
	// Principals reports whether the service has two, who hide what they make from each other.
	Principals bool
	// around stands around the operations.
	around around
}

// Alone reports whether a single exchange shows the fault.
func (f Fault) Alone() bool { return f.around == nil }

// Faults lists all that the suite has to find, family by family: those of which a requirement
// speaks.
func Faults() []Fault {
	return slices.Concat(named(slices.Concat(queryFaults(), headFaults(), pathFaults(), formFaults(), userFaults(), projectFaults(), taskFaults(),
		credentialFaults(), headerFaults(), statusFaults(), contentFaults(), crashes())),
		createdFaults(), tasksCreatedFaults(), replacedFaults(), wholeFaults(), againFaults(), takenFaults(), notesFaults(), patchedFaults(), deletedFaults(), partsDeletedFaults(), siblingFaults(), listedFaults(), neverGivenFaults(), conditionFaults(), longerFaults(), headHistoryFaults(), pagingFaults(), boundFaults(), principalFaults(), doneFaults(), belowFaults(), secretFaults(), defaultFaults())
}

// Unjudged lists faults that the suite does not have to find: no requirement speaks of them.
func Unjudged() []Fault { return otherHistoryFaults() }

// FindFault returns the fault with that name, judged or not.
func FindFault(name string) (Fault, bool) {
	return kit.First(slices.Concat(Faults(), Unjudged()), func(f Fault) bool { return f.Name == name })
}

// The reasons that many faults share.
const (
	unread     = "the handler reads the value without the check"
	loose      = "the framework converts what it can and takes the default for the rest"
	handmade   = "the answer is put together by hand"
	undeclared = "the parameter is read where it is needed, not declared to the framework"
)

// left is a fault that leaves out a check.
func left(name, skips, clause, breaks, doc string) Fault {
	return Fault{Name: name, skips: skips, Clause: clause, Breaks: breaks, Doc: doc}
}

// turned is a fault that changes the answers of one operation.
func turned(name, op, clause, breaks, doc string, alter func(*answer)) Fault {
	return Fault{Name: name, Clause: clause, Breaks: breaks, Doc: doc, alter: func(c *call, a *answer) {
		if c.op.name == op {
			alter(a)
		}
	}}
}

// named adds the requirements to faults that a single exchange shows, where the clause does
// not tell: it is about a choice between schemas, one scheme among several, or all answers.
// Requirements about answers that show what was stored come last.
func named(list []Fault) []Fault {
	const (
		task    = "post-projects-projectid-tasks-body-"
		feature = " post-projects-projectid-tasks-feature-body-"
	)
	names := map[string]string{
		"note-min-length":      "put-projects-projectid-tasks-taskid-note-body-required",
		"kind-unknown":         task + "kind-const" + feature + "kind-const",
		"severity-required":    task + "severity-required",
		"severity-maximum":     task + "severity-maximum",
		"task-unknown":         task + "additional-properties" + feature + "additional-properties",
		"steps-min-items":      task + "steps-min-items",
		"assignee-format":      task + "assigneeid-uuid",
		"homepage-format":      "newuser-homepage-uri get-users-200-body-items-homepage-uri",
		"patch-name-null":      "projectpatch-name-string get-projects-200-body-items-name-max-length",
		"total-count-minimum":  "get-projects-projectid-tasks-200-header-x-total-count-minimum get-projects-projectid-tasks-total",
		"location-format":      "post-projects-projectid-tasks-201-header-location-uri-reference get-projects-projectid-tasks-taskid-created-readable",
		"user-name-max-length": "newuser-name-max-length get-users-200-body-items-name-max-length",
		"address-type":         "newuser-address-object get-users-200-body-items-address-city-required",
		"patch-status-enum":    "projectpatch-status-enum get-projects-200-body-items-status-enum",
		"half-of-and":          "delete-projects-projectid-deskkey-required delete-projects-projectid-deskkey-token",
		"other-half-of-and":    "delete-projects-projectid-bearer-required delete-projects-projectid-bearer-scheme delete-projects-projectid-bearer-token",
		"desk-key-optional":    "delete-projects-projectid-deskkey-required get-projects-bearer-required get-projects-bearer-scheme get-projects-bearer-token",
		"bearer-optional":      "bearer-required deskkey-token",
		"desk-key-in-query":    "delete-projects-projectid-deskkey-required get-projects-bearer-required",
		"head-etag-missing":    "head-projects-projectid-200-header-etag-required",
		"missing-as-200":       "user-object",
		"missing-as-418":       "get-projects-projectid-tasks-taskid-400-401-404-status",
		"refusal-as-200":       "get-search-query-q-required",
		"body-on-head":         "head-projects-projectid-framing",
		"body-on-204":          "delete-projects-projectid-framing",
	}
	for i := range list {
		if said := names[list[i].Name]; said != "" {
			list[i].Requirements = strings.Fields(said)
		}
	}
	return list
}

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
