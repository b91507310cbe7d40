package crud

// wholeFaults keep what a PUT leaves out.
func wholeFaults() []Fault {
	const op, whole = "replaceProject", aboutProject + "replaced-whole"
	put := func(name, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/get", whole, breaks, doc, a)
	}
	return []Fault{
		put("put-merges", "replaceProject leaves members that the PUT leaves out, and does not say so in its answer", "the object is filled from the request before it is saved, and the answer is made of the request",
			instead(op, func(was, is, _ map[string]any) map[string]any { return with(was, is) })),
		put("put-merges-openly", "replaceProject leaves members that the PUT leaves out, and answers with them", "PUT and PATCH share a handler",
			replacing(func(was, is map[string]any) map[string]any { return with(was, is) })),
		put("put-tags-kept", "replaceProject leaves the tags if the PUT has none", "the other table is only written if there is something to write",
			replacing(func(was, is map[string]any) map[string]any {
				if is["tags"] == nil && was["tags"] != nil {
					return with(is, map[string]any{"tags": was["tags"]})
				}
				return is
			})),
		put("put-description-kept", "replaceProject leaves the description if the PUT has none", "an empty text is taken for unchanged",
			replacing(func(was, is map[string]any) map[string]any {
				if is["description"] == nil && was["description"] != nil {
					return with(is, map[string]any{"description": was["description"]})
				}
				return is
			})),
		put("put-contact-kept", "replaceProject leaves the contact if the PUT has none", "null is taken for unchanged in nested objects",
			replacing(func(was, is map[string]any) map[string]any {
				if is["contact"] == nil && was["contact"] != nil {
					return with(is, map[string]any{"contact": was["contact"]})
				}
				return is
			})),
	}
}

// takenFaults take from clients what the service sets.
func takenFaults() []Fault {
	taken := func(op string) around {
		return afterwards(op, func(c *call, a *answer) {
			p := c.madeProject(a)
			text, _ := c.sent()["createdAt"].(string)
			if at, ok := moment(text); ok && p != nil {
				p.created = at
				a.value = p.shown(c.store)
			}
		})
	}
	const bound = "the framework binds the whole body to the entity"
	return []Fault{
		history("created-at-taken", projectAt+"/get", aboutProject+"read-only-kept get-projects-sorted", "createProject stores the createdAt of the request", bound, taken("createProject")),
		history("put-created-at-taken", projectAt+"/get", aboutProject+"read-only-kept get-projects-sorted", "replaceProject stores the createdAt of the request", bound, taken("replaceProject")),
	}
}

// replacing changes what a PUT stores, and answers with it.
func replacing(store func(was, is map[string]any) map[string]any) around {
	inner := instead("replaceProject", func(was, is, _ map[string]any) map[string]any { return store(was, is) })
	return both(afterwards("replaceProject", func(c *call, a *answer) {
		if p, _ := c.named(); p != nil {
			a.value = p.shown(c.store)
		}
	}), inner)
}
