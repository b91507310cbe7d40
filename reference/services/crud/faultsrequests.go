package crud

// Where the parameters of the operations stand in the document.
const (
	projectsAt = "/paths/~1projects/get/parameters/"
	tasksAt    = "/paths/~1projects~1{projectId}~1tasks/get/parameters/"
	searchAt   = "/paths/~1search/get/parameters/"
	reportAt   = "/paths/~1reports~1{year}-{month}.json/get/parameters/"
	badgeAt    = "/paths/~1badges~1{size}~1{colors}/get/parameters/"
	feedbackAt = "/paths/~1feedback/post/"
)

// queryFaults take query parameters that break their schema.
func queryFaults() []Fault {
	const limit = "/components/parameters/Limit/schema/"
	return []Fault{
		left("limit-type", "listProjects/query/limit/type", limit+"type", "listProjects takes a limit that is no integer", loose),
		left("limit-minimum", "listProjects/query/limit/minimum", limit+"minimum", "listProjects takes a limit of 0 and less", "the limit is clamped"),
		left("limit-maximum", "listProjects/query/limit/maximum", limit+"maximum", "listProjects takes a limit above 100", "the limit is clamped"),
		left("offset-minimum", "listUsers/query/offset/minimum", "/components/parameters/Offset/schema/minimum", "listUsers takes an offset below 0", "the offset is clamped"),
		left("offset-type", "listUsers/query/offset/type", "/components/parameters/Offset/schema/type", "listUsers takes an offset that is no integer", loose),
		left("status-enum", "listProjects/query/status/enum", projectsAt+"2/schema/enum", "listProjects takes an unknown status", "the status goes into the query of the database, which finds nothing"),
		left("archived-type", "listProjects/query/archived/type", projectsAt+"3/schema/type", "listProjects takes any text for a boolean", "whatever is not true is false"),
		left("created-after-format", "listProjects/query/createdAfter/format", projectsAt+"4/schema/format", "listProjects takes a date that is none", "dates are compared as texts"),
		left("tags-item-pattern", "listProjects/query/tags/*/pattern", projectsAt+"5/schema/items/pattern", "listProjects takes a tag that breaks the pattern of items", unread),
		left("tags-max-items", "listProjects/query/tags/maxItems", projectsAt+"5/schema/maxItems", "listProjects takes more than five tags", unread),
		left("tags-unique", "listProjects/query/tags/uniqueItems", projectsAt+"5/schema/uniqueItems", "listProjects takes a tag twice", "the tags become a set"),
		left("budget-min-type", "listProjects/query/budget/min/type", projectsAt+"6/schema/properties/min/type", "listProjects takes budget[min] that is no number", loose),
		left("budget-min-minimum", "listProjects/query/budget/min/minimum", projectsAt+"6/schema/properties/min/minimum", "listProjects takes budget[min] below 0", unread),
		left("budget-max-maximum", "listProjects/query/budget/max/maximum", projectsAt+"6/schema/properties/max/maximum", "listProjects takes budget[max] above its maximum", unread),
		left("budget-unknown", "listProjects/query/budget/additionalProperties", projectsAt+"6/schema/additionalProperties", "listProjects takes an unknown member of budget", "frameworks ignore what they do not know"),
		left("sort-enum", "listProjects/query/sort/enum", projectsAt+"7/schema/enum", "listProjects takes an unknown order", loose),
		left("cursor-pattern", "listTasks/query/cursor/pattern", tasksAt+"1/schema/pattern", "listTasks takes a cursor that breaks its pattern", "a cursor that cannot be read means the first page"),
		left("state-enum", "listTasks/query/state/enum", "/components/schemas/State/enum", "listTasks takes an unknown state", "the state goes into the query of the database, which finds nothing"),
		left("due-before-format", "listTasks/query/dueBefore/format", tasksAt+"3/schema/format", "listTasks takes a time that is none", loose),
		left("labels-item-max-length", "listTasks/query/labels/*/maxLength", tasksAt+"4/schema/items/maxLength", "listTasks takes a label that is too long", unread),
		left("labels-max-items", "listTasks/query/labels/maxItems", tasksAt+"4/schema/maxItems", "listTasks takes more than four labels", unread),
		left("q-required", "search/query/q/required", searchAt+"0/required", "search takes a request without q", "no text is found everywhere"),
		left("q-min-length", "search/query/q/minLength", searchAt+"0/schema/minLength", "search takes a q that is too short", unread),
		left("q-max-length", "search/query/q/maxLength", searchAt+"0/schema/maxLength", "search takes a q that is too long", unread),
		left("in-enum", "search/query/in/*/enum", "/components/schemas/HitKind/enum", "search takes an unknown kind", unread),
		left("in-unique", "search/query/in/uniqueItems", searchAt+"1/schema/uniqueItems", "search takes a kind twice", "the kinds become a set"),
		left("where-json", "search/query/where/json", searchAt+"2/content/application~1json/schema/type", "search takes a where that is no JSON", "an error of the parser means no filter"),
		left("where-member-type", "search/query/where/archived/type", searchAt+"2/content/application~1json/schema/properties/archived/type", "search takes a where with an archived that is no boolean", loose),
		left("where-unknown", "search/query/where/additionalProperties", searchAt+"2/content/application~1json/schema/additionalProperties", "search takes a where with an unknown member", "decoders ignore what they do not know"),
	}
}

// headFaults take header fields and cookies that break their schema.
func headFaults() []Fault {
	return []Fault{
		left("request-id-format", "getProject/header/X-Request-Id/format", "/components/parameters/RequestId/schema/format", "getProject takes an X-Request-Id that is no UUID", "the id is for the log alone"),
		left("x-labels-pattern", "listUsers/header/X-Labels/*/pattern", "/paths/~1users/get/parameters/2/schema/items/pattern", "listUsers takes a label in X-Labels that breaks the pattern", undeclared),
		left("x-labels-max-items", "listUsers/header/X-Labels/maxItems", "/paths/~1users/get/parameters/2/schema/maxItems", "listUsers takes more than three labels in X-Labels", undeclared),
		left("if-match-pattern", "replaceProject/header/If-Match/pattern", "/paths/~1projects~1{projectId}/put/parameters/0/schema/pattern", "replaceProject takes an If-Match that is no entity tag", "a condition that cannot be read is none"),
		left("if-match-optional", "", "/paths/~1projects~1{projectId}/put/parameters/0/required", "replaceProject takes a request without If-Match", undeclared),
		left("consent-required", "sendFeedback/cookie/consent/required", feedbackAt+"parameters/0/required", "sendFeedback takes a request without the cookie consent", undeclared),
		left("consent-type", "sendFeedback/cookie/consent/type", feedbackAt+"parameters/0/schema/type", "sendFeedback takes a consent that is no boolean", "whatever is there is true"),
		left("locale-enum", "sendFeedback/cookie/locale/enum", feedbackAt+"parameters/1/schema/enum", "sendFeedback takes an unknown locale", loose),
	}
}

// pathFaults take path parameters that break their schema.
func pathFaults() []Fault {
	return []Fault{
		left("year-type", "getReport/path/year/type", reportAt+"0/schema/type", "getReport takes a year that is no integer", loose),
		left("year-minimum", "getReport/path/year/minimum", reportAt+"0/schema/minimum", "getReport takes a year before 2000", unread),
		left("year-maximum", "getReport/path/year/maximum", reportAt+"0/schema/maximum", "getReport takes a year after 2099", unread),
		left("month-pattern", "getReport/path/month/pattern", reportAt+"1/schema/pattern", "getReport takes a month that breaks the pattern", "there is no such month, so it is empty"),
		left("size-maximum", "getBadge/path/size/maximum", badgeAt+"0/schema/maximum", "getBadge takes a size above 64", "the size is clamped"),
		left("size-minimum", "getBadge/path/size/minimum", badgeAt+"0/schema/minimum", "getBadge takes a size below 8", "the size is clamped"),
		left("colors-enum", "getBadge/path/colors/*/enum", badgeAt+"1/schema/items/enum", "getBadge takes an unknown color", unread),
		left("colors-max-items", "getBadge/path/colors/maxItems", badgeAt+"1/schema/maxItems", "getBadge takes more than three colors", unread),
		left("any-extension", "downloadFile/path/ext/enum", "/components/schemas/Extension/enum", "downloadFile takes an unknown extension", "the name alone finds the file"),
	}
}

// formFaults take forms and texts that break their schema.
func formFaults() []Fault {
	const form = feedbackAt + "requestBody/content/application~1x-www-form-urlencoded/schema/"
	const parts = "/paths/~1files/post/requestBody/content/multipart~1form-data/schema/"
	const note = "/paths/~1projects~1{projectId}~1tasks~1{taskId}~1note/put/requestBody/content/text~1plain/schema/"
	return []Fault{
		left("message-required", "sendFeedback/body/message/required", form+"required", "sendFeedback takes a form without message", loose),
		left("message-min-length", "sendFeedback/body/message/minLength", form+"properties/message/minLength", "sendFeedback takes a message that is too short", unread),
		left("rating-prefix", "", form+"properties/rating/type", "sendFeedback takes letters behind the digits of the rating", "parseInt stops at the first letter"),
		left("rating-type", "sendFeedback/body/rating/type", form+"properties/rating/type", "sendFeedback takes a rating that is no integer", loose),
		left("rating-maximum", "sendFeedback/body/rating/maximum", form+"properties/rating/maximum", "sendFeedback takes a rating above 5", unread),
		left("feedback-email-format", "sendFeedback/body/email/format", form+"properties/email/format", "sendFeedback takes an email that is no address", unread),
		left("anonymous-type", "sendFeedback/body/anonymous/type", form+"properties/anonymous/type", "sendFeedback takes any text for a boolean", "a checkbox that is there is ticked"),
		left("topics-enum", "sendFeedback/body/topics/*/enum", form+"properties/topics/items/enum", "sendFeedback takes an unknown topic", unread),
		left("topics-max-items", "sendFeedback/body/topics/maxItems", form+"properties/topics/maxItems", "sendFeedback takes more than three topics", unread),
		left("file-required", "uploadFile/body/file/required", parts+"required", "uploadFile takes a form without the file", "a file that is not there is empty"),
		left("title-required", "uploadFile/body/title/required", parts+"required", "uploadFile takes a form without a title", loose),
		left("title-max-length", "uploadFile/body/title/maxLength", parts+"properties/title/maxLength", "uploadFile takes a title that is too long", unread),
		left("ext-enum", "uploadFile/body/ext/enum", "/components/schemas/Extension/enum", "uploadFile takes an unknown extension", loose),
		left("revision-maximum", "uploadFile/body/revision/maximum", parts+"properties/revision/maximum", "uploadFile takes a revision above 99", "the revision is clamped"),
		left("revision-type", "uploadFile/body/revision/type", parts+"properties/revision/type", "uploadFile takes a revision that is no integer", loose),
		left("meta-json", "uploadFile/body/meta/json", parts+"properties/meta/type", "uploadFile takes a meta that is no JSON", "the part is kept as it is"),
		left("meta-author-required", "uploadFile/body/meta/author/required", parts+"properties/meta/required", "uploadFile takes a meta without author", unread),
		left("note-max-length", "writeNote/body/maxLength", note+"maxLength", "writeNote takes a note that is too long", unread),
		left("note-min-length", "writeNote/body/minLength", note+"minLength", "writeNote takes an empty note", unread),
	}
}

// userFaults take users that break their schema.
func userFaults() []Fault {
	const user, address = "/components/schemas/NewUser/", "/components/schemas/Address/"
	const op = "createUser/body"
	return []Fault{
		left("not-json", op+"/json", "/paths/~1users/post/requestBody/content/application~1json", "createUser takes a body that is not JSON", "an error of the parser is ignored"),
		left("body-optional", op+"/required", "/paths/~1users/post/requestBody/required", "createUser takes a request without a body", "the handler fills in what is missing"),
		left("media-type-not-checked", "", "/components/responses/UnsupportedMediaType", "any media type is taken for the documented one", "the decoder never asks"),
		left("user-name-required", op+"/name/required", user+"required", "createUser takes a user without name", loose),
		left("password-required", op+"/password/required", user+"required", "createUser takes a user without password", loose),
		left("user-name-type", op+"/name/type", user+"properties/name/type", "createUser takes a name that is no string", loose),
		left("user-name-min-length", op+"/name/minLength", user+"properties/name/minLength", "createUser takes an empty name", unread),
		left("user-name-max-length", op+"/name/maxLength", user+"properties/name/maxLength", "createUser takes a name that is too long", unread),
		left("password-min-length", op+"/password/minLength", user+"properties/password/minLength", "createUser takes a password that is too short", unread),
		left("email-format", op+"/email/format", user+"properties/email/format", "createUser takes an email that is no address", unread),
		left("homepage-format", op+"/homepage/format", user+"properties/homepage/format", "createUser takes a homepage that is no URI", unread),
		left("birthday-format", op+"/birthday/format", user+"properties/birthday/format", "createUser takes a birthday that is no date", "the date is a text in the database"),
		left("role-enum", op+"/role/enum", user+"properties/role/enum", "createUser takes an unknown role", "the role is a text in the database"),
		left("avatar-format", op+"/avatar/format", user+"properties/avatar/format", "createUser takes an avatar that is no base64", "nobody decodes it before it is shown"),
		left("address-type", op+"/address/type", address+"type", "createUser takes an address that is no object", loose),
		left("city-required", op+"/address/city/required", address+"required", "createUser takes an address without city", "validation stops at the first level"),
		left("zip-pattern", op+"/address/zip/pattern", address+"properties/zip/pattern", "createUser takes a zip that breaks its pattern", "validation stops at the first level"),
		left("address-unknown", op+"/address/additionalProperties", address+"additionalProperties", "createUser takes an address with an unknown member", "decoders ignore what they do not know"),
	}
}

// projectFaults take projects that break their schema.
func projectFaults() []Fault {
	const project, milestone, contact = "/components/schemas/Project/", "/components/schemas/Milestone/", "/components/schemas/Contact/"
	const op, patch = "createProject/body", "changeProject/body"
	return []Fault{
		left("code-pattern", op+"/code/pattern", project+"properties/code/pattern", "createProject takes a code that breaks its pattern", unread),
		left("budget-type", op+"/budget/type", project+"properties/budget/type", "createProject takes a budget that is no number", loose),
		left("budget-minimum", op+"/budget/minimum", project+"properties/budget/minimum", "createProject takes a budget below 0", unread),
		left("budget-exclusive-maximum", op+"/budget/exclusiveMaximum", project+"properties/budget/exclusiveMaximum", "createProject takes a budget of a million", "the comparison is < instead of <="),
		left("budget-multiple-of", op+"/budget/multipleOf", project+"properties/budget/multipleOf", "createProject takes a budget with parts of a cent", "the budget is rounded"),
		left("team-exclusive-minimum", op+"/team/exclusiveMinimum", project+"properties/team/exclusiveMinimum", "createProject takes a team of 0", "the comparison is >= instead of >"),
		left("progress-multiple-of", op+"/progress/multipleOf", project+"properties/progress/multipleOf", "createProject takes a progress that is no multiple of 5", unread),
		left("starts-format", op+"/starts/format", project+"properties/starts/format", "createProject takes a start that is no date", "the date is a text in the database"),
		left("archived-body-type", op+"/archived/type", project+"properties/archived/type", "createProject takes an archived that is no boolean", loose),
		left("milestones-min-items", op+"/milestones/minItems", project+"properties/milestones/minItems", "createProject takes no milestones in an array", unread),
		left("milestones-max-items", op+"/milestones/maxItems", project+"properties/milestones/maxItems", "createProject takes more than five milestones", unread),
		left("milestone-title-required", op+"/milestones/*/title/required", milestone+"required", "createProject takes a milestone without title", "validation does not look into arrays"),
		left("milestone-due-format", op+"/milestones/*/due/format", milestone+"properties/due/format", "createProject takes a due time that is none", "validation does not look into arrays"),
		left("project-tags-unique", op+"/tags/uniqueItems", "/components/schemas/Tags/uniqueItems", "createProject takes a tag twice", "the tags become a set"),
		left("project-unknown", op+"/additionalProperties", project+"additionalProperties", "createProject takes an unknown member", "decoders ignore what they do not know"),
		left("contact-website-format", op+"/contact/website/format", contact+"properties/website/format", "createProject takes a website that is no URI", unread),
		left("put-name-required", "replaceProject/body/name/required", project+"required", "replaceProject takes a project without name", "PUT and PATCH share a handler"),
		left("patch-empty", patch+"/minProperties", "/components/schemas/ProjectPatch/minProperties", "changeProject takes a patch without members", "nothing is changed"),
		left("patch-status-enum", patch+"/status/enum", "/components/schemas/ProjectPatch/properties/status/enum", "changeProject takes an unknown status", "only creating validates"),
		left("patch-name-null", patch+"/name/type", "/components/schemas/ProjectPatch/properties/name/type", "changeProject takes null for a name", "null means as before"),
		left("patch-unknown", patch+"/additionalProperties", "/components/schemas/ProjectPatch/additionalProperties", "changeProject takes an unknown member", "decoders ignore what they do not know"),
	}
}

// taskFaults take tasks that break their schema.
func taskFaults() []Fault {
	const op = "createTask/body"
	return []Fault{
		left("kind-unknown", op+"/oneOf", "/components/schemas/NewTask/oneOf", "createTask takes a task that is neither bug nor feature", "an unknown kind is stored as it is"),
		left("severity-required", op+"/severity/required", "/components/schemas/Bug/required", "createTask takes a bug without severity", "members of one kind are optional for all"),
		left("severity-maximum", op+"/severity/maximum", "/components/schemas/Bug/properties/severity/maximum", "createTask takes a severity above 5", unread),
		left("task-unknown", op+"/additionalProperties", "/components/schemas/NewTask/oneOf", "createTask takes a bug with members of a feature", "both kinds are one class"),
		left("steps-min-items", op+"/steps/minItems", "/components/schemas/Bug/properties/steps/minItems", "createTask takes no steps in an array", unread),
		left("assignee-format", op+"/assigneeId/format", "/components/schemas/AssigneeId/format", "createTask takes an assigneeId that is no UUID", "who is no user is nobody"),
	}
}

// credentialFaults let in who should stay out.
func credentialFaults() []Fault {
	const schemes = "/components/securitySchemes/"
	at := func(name, clause, breaks, doc string) Fault { return left(name, "", clause, breaks, doc) }
	return []Fault{
		at("bearer-optional", schemes+"bearer", "a request without Authorization is served", "the middleware passes on who has no token"),
		at("bearer-not-checked", schemes+"bearer", "any bearer token is good", "the token is decoded and not verified"),
		at("bearer-prefix", schemes+"bearer", "a part of the token is enough", "the comparison ends with the shorter text"),
		at("bearer-any-scheme", schemes+"bearer", "another scheme than Bearer is good", "the last word of the field counts"),
		at("list-public", schemes+"bearer", "listUsers needs no credential", "the route was added before the middleware"),
		at("desk-key-optional", schemes+"deskKey", "a request without X-Desk-Key is served", "the middleware passes on who has no key"),
		at("desk-key-not-checked", schemes+"deskKey", "any X-Desk-Key is good", "a gateway should have checked it"),
		at("desk-key-any-case", schemes+"deskKey", "the key is good in letters of the other case", "the database compares without case"),
		at("desk-key-in-query", schemes+"deskKey/in", "the key is good in the query too", "the library looks everywhere"),
		at("query-key-optional", schemes+"queryKey", "a request without api_key is served", "the middleware passes on who has no key"),
		at("query-key-not-checked", schemes+"queryKey", "any api_key is good", "a gateway should have checked it"),
		at("query-key-in-header", schemes+"queryKey/in", "the key is good in a header field too", "the library looks everywhere"),
		at("half-of-and", "/paths/~1projects~1{projectId}/delete/security", "deleteProject wants the bearer token alone", "the list of schemes is read as OR"),
		at("other-half-of-and", "/paths/~1projects~1{projectId}/delete/security", "deleteProject wants the key alone", "the list of schemes is read as OR"),
	}
}
