package crud

import "strings"

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
