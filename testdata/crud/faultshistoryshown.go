package crud

// shownFaults store another value than was sent, and say so in their answer to the request.
func shownFaults() []Fault {
	ofProject := func(name, breaks, doc string, change around) Fault {
		return history(name, projectAt+"/get", aboutProject+"stored-created", breaks, doc, both(saysSo("createProject"), change))
	}
	created := func(change func(map[string]any)) around {
		return afterwards("createProject", func(c *call, a *answer) {
			p := c.madeProject(a)
			p.members = with(p.members, nil)
			change(p.members)
		})
	}
	return []Fault{
		ofProject("project-team-answered-one", "a team is stored as 1, whatever was sent, and the answer says 1", "the object of the answer is read from the store", created(func(m map[string]any) {
			if m["team"] != nil {
				m["team"] = whole(1)
			}
		})),
		ofProject("project-contact-dropped", "the contact of a new project is neither stored nor answered", "the mapper has no rule for the nested object", created(lose("contact"))),
	}
}

// saysSo makes an operation answer with the project that is stored.
func saysSo(op string) around {
	return afterwards(op, func(c *call, a *answer) {
		if p := c.madeProject(a); p != nil {
			a.value = p.shown(c.store)
		}
	})
}
