package crud

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
