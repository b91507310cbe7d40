package crud

import (
	"encoding/json"
	"net/http"
	"strings"

	"plantstore/reference/kit"
)

// Where answers stand in the document.
const (
	usersOut    = "/paths/~1users/get/responses/200/"
	projectsOut = "/paths/~1projects/get/responses/200/"
	projectOut  = "/components/responses/Project/"
	headOut     = "/paths/~1projects~1{projectId}/head/responses/200"
)

// headerFaults corrupt header fields of answers.
func headerFaults() []Fault {
	const total = "/components/headers/TotalCount/"
	set := func(name, value string) func(*answer) {
		return func(a *answer) {
			if a.status < 300 {
				a.header.Set(name, value)
			}
		}
	}
	remove := func(name string) func(*answer) { return func(a *answer) { a.header.Del(name) } }
	return []Fault{
		turned("total-count-missing", "listProjects", total+"required", "listProjects answers without X-Total-Count", "counting was too slow", remove("X-Total-Count")),
		turned("total-count-type", "listProjects", total+"schema/type", "X-Total-Count of listProjects is no integer", handmade, set("X-Total-Count", "many")),
		turned("total-count-minimum", "listTasks", total+"schema/minimum", "X-Total-Count of listTasks is below 0", "-1 means unknown", set("X-Total-Count", "-1")),
		turned("location-missing", "createTask", "/paths/~1projects~1{projectId}~1tasks/post/responses/201/headers/Location/required", "createTask answers without Location", handmade, remove("Location")),
		turned("location-format", "createTask", "/paths/~1projects~1{projectId}~1tasks/post/responses/201/headers/Location/schema/format", "Location of createTask is no URI reference", handmade, set("Location", "tasks|<new task>")),
		turned("etag-missing", "getProject", "/components/headers/ETag/required", "getProject answers without ETag", handmade, remove("ETag")),
		turned("etag-unquoted", "downloadFile", "/components/headers/ETag/schema/pattern", "ETag of downloadFile has no quotes", handmade, set("ETag", "abc")),
		turned("head-etag-missing", "headProject", headOut+"/headers/ETag", "headProject answers without ETag", "HEAD has a handler of its own", remove("ETag")),
		{Name: "request-id-spoilt", Clause: "/components/headers/RequestId/schema/format", Breaks: "X-Request-Id of createProject is no UUID", Doc: "the service adds its own part to the id",
			alter: func(c *call, a *answer) {
				if c.op.name == "createProject" && a.status < 300 {
					a.header.Set("X-Request-Id", c.request.Header.Get("X-Request-Id")+"-desk")
				}
			}},
		turned("challenge-missing", "getUser", "/components/responses/Unauthorized/headers/WWW-Authenticate/required", "401 of getUser has no WWW-Authenticate", handmade, remove("WWW-Authenticate")),
	}
}

// statusFaults corrupt statuses.
func statusFaults() []Fault {
	from := func(good, bad int) func(*answer) {
		return func(a *answer) {
			if a.status == good {
				a.status = bad
			}
		}
	}
	const project = "/paths/~1projects~1{projectId}"
	return []Fault{
		turned("created-as-200", "createProject", "/paths/~1projects/post/responses", "createProject answers 200, which is not documented", "200 is the default of the framework", from(201, 200)),
		turned("accepted-as-202", "createUser", "/paths/~1users/post/responses", "createUser answers 202, which is not documented", handmade, from(201, 202)),
		turned("deleted-as-200", "deleteTask", project+"~1tasks~1{taskId}/delete/responses", "deleteTask answers 200, which is not documented", "200 is the default of the framework", from(204, 200)),
		turned("head-as-204", "headProject", project+"/head/responses", "headProject answers 204, which is not documented", "no content is taken for 204", from(200, 204)),
		turned("missing-as-200", "getUser", "/paths/~1users~1{userId}/get/responses/404", "getUser answers 200 and null where no user is", "null of the database is passed on", func(a *answer) {
			if a.status == http.StatusNotFound {
				*a = answer{status: http.StatusOK, header: a.header, media: "application/json", bytes: []byte("null")}
			}
		}),
		turned("missing-as-418", "getTask", project+"~1tasks~1{taskId}/get/responses", "getTask answers 418 where no task is, which is not documented", handmade, from(404, 418)),
		turned("refusal-as-500", "listTasks", project+"~1tasks/get/responses/400", "listTasks answers 500 to what it refuses", "validation throws, and nobody catches", from(400, 500)),
		turned("refusal-as-200", "search", "/paths/~1search/get/responses/400", "search answers 200 with a problem", "the status is in the body alone", from(400, 200)),
	}
}

// contentFaults corrupt content.
func contentFaults() []Fault {
	media := func(media string) func(*answer) {
		return func(a *answer) {
			if a.status < 300 {
				a.media = media
			}
		}
	}
	forced := func(a *answer) {
		if a.status < 300 {
			a.forced = `{"deleted":true}`
		}
	}
	// member changes an object, or the objects of an array.
	member := func(change func(map[string]any)) func(*answer) {
		return func(a *answer) {
			if a.status >= 300 {
				return
			}
			switch v := a.value.(type) {
			case map[string]any:
				change(v)
			case []any:
				for _, item := range v {
					change(item.(map[string]any))
				}
			}
		}
	}
	put := func(name string, v any) func(*answer) { return member(func(m map[string]any) { m[name] = v }) }
	drop := func(name string) func(*answer) { return member(func(m map[string]any) { delete(m, name) }) }
	problem := func(change func(map[string]any)) func(*answer) {
		return func(a *answer) {
			if m, ok := a.value.(map[string]any); ok && a.status >= 400 {
				change(m)
			}
		}
	}
	bytes := func(change func(*answer)) func(*answer) {
		return func(a *answer) {
			if a.status < 300 {
				change(a)
				a.value = nil
			}
		}
	}
	const project, user, task, problems = "/components/schemas/Project/", "/components/schemas/User/", "/components/schemas/Task/", "/components/schemas/Problem/"
	const feedback = feedbackAt + "responses/202/content/application~1json/schema/"
	return []Fault{
		turned("user-as-html", "getUser", "/paths/~1users~1{userId}/get/responses/200/content", "getUser answers text/html", "the content type is that of the template", media("text/html")),
		turned("media-missing", "getReport", "/paths/~1reports~1{year}-{month}.json/get/responses/200/content", "getReport answers without Content-Type", handmade, media("")),
		turned("note-as-json", "readNote", "/paths/~1projects~1{projectId}~1tasks~1{taskId}~1note/get/responses/200/content", "readNote says that the note is JSON", "all answers have the content type of the service", media("application/json")),
		turned("download-as-text", "downloadFile", "/paths/~1files~1{name}.{ext}/get/responses/200/content", "downloadFile guesses the media type", "a file server guesses by the extension", media("text/plain")),
		turned("problem-as-json", "listProjects", "/components/responses/BadRequest/content", "problems of listProjects have the media type application/json", handmade, func(a *answer) {
			if a.status == 400 {
				a.media = "application/json"
			}
		}),
		turned("body-on-head", "headProject", headOut, "headProject answers with a body", "HEAD is served as GET by a server of its own", forced),
		turned("body-on-204", "deleteProject", "/paths/~1projects~1{projectId}/delete/responses/204", "deleteProject answers 204 with a body", "a server of its own writes whatever the handler gives", forced),
		turned("empty-body", "completeTask", "/components/responses/Task/content", "completeTask answers 200 without a body", handmade, bytes(func(a *answer) { a.bytes = nil })),
		turned("cut-off", "changeProject", projectOut+"content", "changeProject answers JSON that ends too soon", "a buffer is too short", bytes(func(a *answer) { a.bytes = kit.Encode(a.value)[:20] })),
		turned("page-as-object", "listUsers", usersOut+"content/application~1json/schema/type", "listUsers answers an object", "the page is wrapped", func(a *answer) {
			if a.status == 200 {
				a.value = map[string]any{"data": a.value}
			}
		}),
		turned("list-null", "listTasks", "/paths/~1projects~1{projectId}~1tasks/get/responses/200/content/application~1json/schema/properties/items/type", "listTasks answers null for an empty array", "nil is not an empty slice", member(func(m map[string]any) {
			if items, ok := m["items"].([]any); ok && len(items) == 0 {
				m["items"] = nil
			}
		})),
		turned("email-missing", "getUser", user+"required", "getUser leaves out email", handmade, drop("email")),
		turned("created-id-missing", "createProject", "/components/schemas/StoredProject/required", "createProject leaves out id", handmade, drop("id")),
		turned("project-id-text", "getProject", project+"properties/id/type", "the id of getProject is a string", "JavaScript cannot hold it otherwise", member(func(m map[string]any) { m["id"] = m["id"].(json.Number).String() })),
		turned("budget-text", "listProjects", project+"properties/budget/type", "the budget of listProjects is a string", "decimals of the database are texts", member(func(m map[string]any) { m["budget"] = "12.50" })),
		turned("state-unknown", "completeTask", "/components/schemas/State/enum", "the state of completeTask is not in the list", "the list was extended", put("state", "done")),
		turned("created-at-format", "replaceProject", project+"properties/createdAt/format", "createdAt of replaceProject has no offset", "the time is printed without its zone", put("createdAt", "2026-01-02T03:04:05")),
		turned("receipt-format", "sendFeedback", feedback+"properties/receipt/format", "the receipt of sendFeedback is no UUID", handmade, put("receipt", "F-17")),
		turned("closed-answer-open", "sendFeedback", feedback+"additionalProperties", "sendFeedback answers with an unknown member", "a new member was not documented", put("queue", "red")),
		turned("title-null", "getTask", task+"properties/title/type", "the title of getTask is null", "nothing is null in the database", put("title", nil)),
		turned("size-negative", "uploadFile", "/paths/~1files/post/responses/201/content/application~1json/schema/properties/size/minimum", "the size of uploadFile is below 0", "-1 means unknown", put("size", json.Number("-1"))),
		turned("report-fraction", "getReport", "/paths/~1reports~1{year}-{month}.json/get/responses/200/content/application~1json/schema/properties/tasks/type", "the count of getReport is no integer", "counts are floats", put("tasks", json.Number("0.5"))),
		turned("badge-short", "getBadge", "/paths/~1badges~1{size}~1{colors}/get/responses/200/content/text~1plain/schema/minLength", "getBadge answers a text that is too short", handmade, bytes(func(a *answer) { a.bytes = []byte("#") })),
		turned("problem-title-missing", "search", problems+"required", "problems of search have no title", handmade, problem(func(m map[string]any) { delete(m, "title") })),
		turned("problem-status-text", "getReport", problems+"properties/status/type", "the status in problems of getReport is a string", handmade, problem(func(m map[string]any) { m["status"] = m["status"].(json.Number).String() })),
		turned("problem-errors-object", "createUser", problems+"properties/errors/type", "the errors in problems of createUser are an object", "errors are grouped by member", problem(func(m map[string]any) { m["errors"] = map[string]any{} })),
	}
}

// crashes answer 500, or nothing, to odd values.
func crashes() []Fault {
	crash := func(name, op, clause, breaks, doc string, when func(*call) bool) Fault {
		return Fault{Name: name, Clause: clause, Breaks: breaks, Doc: doc, alter: func(c *call, a *answer) {
			if c.op.name == op && when(c) && a.status != http.StatusUnauthorized {
				*a = *refusal(http.StatusInternalServerError, "oh no")
			}
		}}
	}
	const out = "/responses"
	return []Fault{
		crash("crash-limit-100", "listUsers", "/paths/~1users/get"+out, "listUsers answers 500 to the largest limit", "an index is one too high", func(c *call) bool {
			p, _, given := c.query("limit")
			return given && p.value == "100"
		}),
		crash("crash-emoji", "createUser", "/paths/~1users/post"+out, "createUser answers 500 to characters beyond U+FFFF", "the column holds three bytes for a character", func(c *call) bool {
			return strings.ContainsFunc(string(c.body), func(r rune) bool { return r > 0xffff })
		}),
		crash("crash-null", "createUser", "/paths/~1users/post"+out, "createUser answers 500 to null for a birthday", "nobody expected null", func(c *call) bool {
			v, _ := kit.ReadJSON(c.body)
			m, _ := v.(map[string]any)
			birthday, given := m["birthday"]
			return given && birthday == nil
		}),
		crash("crash-quote", "search", "/paths/~1search/get"+out, "search answers 500 to a quote", "the text goes into the SQL as it is", func(c *call) bool {
			p, _, _ := c.query("q")
			return strings.Contains(p.value, "'")
		}),
		crash("crash-december", "getReport", "/paths/~1reports~1{year}-{month}.json/get"+out, "getReport answers 500 to December", "the month after it is 13", func(c *call) bool {
			return c.path["month"] == "12"
		}),
		crash("crash-empty-file", "uploadFile", "/paths/~1files/post"+out, "uploadFile answers 500 to an empty file", "the type is guessed by the first byte", func(c *call) bool {
			file, given := c.multipart()["file"]
			return given && len(file) == 0
		}),
		crash("crash-missing-project", "listTasks", "/paths/~1projects~1{projectId}~1tasks/get/responses/404", "listTasks answers 500 where no project is", "nil is not asked for", func(c *call) bool { return c.missing }),
		{Name: "drops-connection", Clause: "/paths/~1badges~1{size}~1{colors}/get" + out, Breaks: "getBadge answers nothing to three colors", Doc: "the process of the worker dies",
			alter: func(c *call, _ *answer) {
				if c.op.name == "getBadge" && strings.Count(c.path["colors"], ".") == 3 {
					panic(http.ErrAbortHandler)
				}
			}},
	}
}
