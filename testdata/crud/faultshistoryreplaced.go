package crud

// replacedFaults lose what PUT gave.
func replacedFaults() []Fault {
	put := func(name, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/get", aboutProject+"stored-replaced", breaks, doc, a)
	}
	const op = "replaceProject"
	return []Fault{
		put("put-not-stored", "replaceProject answers with what it was sent and stores nothing", "the object is changed and not saved",
			instead(op, func(was, _, _ map[string]any) map[string]any { return was })),
		put("put-cached", "getProject gives the project as it was read before a PUT", "only PATCH and DELETE clear the cache", cached("getProject", "changeProject deleteProject")),
		put("put-stores-some", "replaceProject stores the name and the budget alone", "the UPDATE names the columns of an older version",
			instead(op, func(was, is, _ map[string]any) map[string]any {
				return with(was, map[string]any{"name": is["name"], "budget": is["budget"]})
			})),
		put("put-code-stays", "replaceProject leaves the code as it was", "the column counts as a key and is not updated",
			instead(op, func(was, is, _ map[string]any) map[string]any {
				return with(is, map[string]any{"code": was["code"]})
			})),
		put("put-tags-stay", "replaceProject leaves the tags as they were", "the other table is not updated",
			instead(op, func(was, is, _ map[string]any) map[string]any {
				if was["tags"] == nil {
					return with(is, nil, "tags")
				}
				return with(is, map[string]any{"tags": was["tags"]})
			})),
		put("put-status-draft", "replaceProject stores draft, whatever was sent", "PUT and POST share a constructor that sets the default",
			instead(op, func(_, is, _ map[string]any) map[string]any {
				return with(is, map[string]any{"status": "draft"})
			})),
		put("put-contact-lost", "replaceProject does not store the contact", "the nested object is replaced after the save",
			instead(op, func(_, is, _ map[string]any) map[string]any { return with(is, nil, "contact") })),
		put("put-milestones-cut", "replaceProject stores the first milestone alone", "a loop ends with return",
			instead(op, func(_, is, _ map[string]any) map[string]any {
				is = with(is, nil)
				head("milestones")(is)
				return is
			})),
		put("put-other-project", "replaceProject stores its body in the project that was made before", "the id is taken for an index", misdirected(op)),
		history("put-twice-500", projectAt+"/put", "put-projects-projectid-answered", "a second PUT of one project is answered with 500", "the history has a unique key that a second change hits",
			both(remembers(op, "put "), crashesWhen(op, marked("put ")))),
		history("put-deleted-500", projectAt+"/put", "put-projects-projectid-answered", "a PUT to a deleted project is answered with 500", "the row is locked before anybody asks whether it is there",
			both(remembers("deleteProject", "gone "), crashesWhen(op, marked("gone ")))),
	}
}
