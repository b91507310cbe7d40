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
