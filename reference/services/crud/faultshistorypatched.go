package crud

import "slices"

// patchedFaults lose what PATCH gave, or what it left alone.
func patchedFaults() []Fault {
	patch := func(name, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/get", aboutProject+"stored-patched", breaks, doc, a)
	}
	rest := func(name, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/get", aboutProject+"patch-leaves-rest", breaks, doc, a)
	}
	const op = "changeProject"
	// unnamed gives the members that a patch does not name other values; nil removes one.
	unnamed := func(values map[string]any) around {
		return instead(op, func(_, is, sent map[string]any) map[string]any {
			out := with(is, nil)
			for name, v := range values {
				_, given := sent[name]
				switch {
				case given:
				case v == nil:
					delete(out, name)
				default:
					out[name] = v
				}
			}
			return out
		})
	}
	return []Fault{
		patch("patch-not-stored", "changeProject answers with the change and stores nothing", "the object is changed and not saved",
			instead(op, func(was, _, _ map[string]any) map[string]any { return was })),
		patch("patch-cached", "getProject gives the project as it was read before a PATCH", "only PUT and DELETE clear the cache", cached("getProject", "replaceProject deleteProject")),
		patch("patch-other-project", "changeProject changes the project that was made before", "the id is taken for an index", misdirected(op)),
		patch("patch-description-ignored", "changeProject does not store a description", "the list of members that may change lacks it",
			instead(op, func(was, is, sent map[string]any) map[string]any {
				if was["description"] == nil {
					return with(is, nil, "description")
				}
				return with(is, map[string]any{"description": was["description"]})
			})),
		patch("patch-empty-ignored", "changeProject ignores an empty text and false", "the handler copies what is true",
			instead(op, func(was, is, sent map[string]any) map[string]any {
				out := with(is, nil)
				for name, v := range sent {
					if old := was[name]; old != nil && (v == "" || v == false) {
						out[name] = old
					}
				}
				return out
			})),
		patch("patch-tags-appended", "changeProject adds to the tags, where RFC 7396 replaces a list", "the library merges lists",
			instead(op, func(was, is, sent map[string]any) map[string]any {
				old, _ := was["tags"].([]any)
				added, given := sent["tags"].([]any)
				if !given {
					return is
				}
				all := slices.Clone(old)
				for _, tag := range added {
					if !slices.Contains(all, tag) && len(all) < 8 {
						all = append(all, tag)
					}
				}
				return with(is, map[string]any{"tags": all})
			})),
		patch("patch-budget-beside-tags", "changeProject leaves the budget if the PATCH has tags too, and answers so", "what has a table of its own is changed in a branch that returns early",
			both(afterwards(op, func(c *call, a *answer) {
				if p, _ := c.named(); p != nil {
					a.value = p.shown(c.store)
				}
			}), instead(op, func(was, is, sent map[string]any) map[string]any {
				if sent["tags"] == nil || was["budget"] == nil {
					return is
				}
				return with(is, map[string]any{"budget": was["budget"]})
			}))),
		patch("patch-archived-ignored", "changeProject stores archived only if it is true", "false and missing are the same to the handler",
			instead(op, func(was, is, sent map[string]any) map[string]any {
				if sent["archived"] == false {
					return with(is, map[string]any{"archived": was["archived"]})
				}
				return is
			})),
		patch("patch-null-ignored", "changeProject leaves a member that is null in the patch", "null and missing are the same to the handler",
			instead(op, func(was, is, sent map[string]any) map[string]any {
				out := with(is, nil)
				for name, v := range sent {
					if old := was[name]; v == nil && old != nil {
						out[name] = old
					}
				}
				return out
			})),
		patch("patch-one-member", "changeProject stores one member of those that it is sent", "a switch where several cases apply",
			instead(op, func(was, is, sent map[string]any) map[string]any {
				for _, name := range []string{"tags", "archived", "description", "ends", "budget", "status", "name"} {
					if v, given := sent[name]; given && v != nil {
						return with(was, map[string]any{name: is[name]})
					}
				}
				return is
			})),
		rest("patch-removes-rest", "changeProject removes the optional members that the patch does not name", "missing members are null in the class, and null is stored",
			unnamed(map[string]any{"description": nil, "ends": nil, "tags": nil})),
		rest("patch-defaults-rest", "changeProject sets status and archived to their defaults where the patch does not name them", "the defaults of POST are set for PATCH too",
			unnamed(map[string]any{"status": "draft", "archived": false})),
		rest("patch-zero-budget", "changeProject sets the budget to 0 where the patch does not name it", "a missing number is 0 in the class", unnamed(map[string]any{"budget": whole(0)})),
		rest("patch-tags-empty", "changeProject empties the tags where the patch does not name them", "a missing list is empty in the class", unnamed(map[string]any{"tags": []any{}})),
		rest("patch-replaces", "changeProject keeps nothing but the members of the patch and what is required", "PATCH and PUT share a handler",
			instead(op, func(was, is, sent map[string]any) map[string]any {
				out := map[string]any{"name": was["name"], "code": was["code"], "budget": was["budget"], "status": "draft", "archived": false}
				for name := range sent {
					if is[name] != nil {
						out[name] = is[name]
					}
				}
				return out
			})),
		rest("patch-contact-lost", "changeProject removes what a patch cannot have, such as the contact", "the object is written back from the class of the patch",
			instead(op, func(_, is, _ map[string]any) map[string]any {
				return with(is, nil, "contact", "milestones", "team", "progress", "starts")
			})),
		rest("patch-code-renewed", "changeProject makes a new code", "a hook that is meant for POST runs at each save",
			instead(op, func(_, is, _ map[string]any) map[string]any { return with(is, map[string]any{"code": "NEW-1"}) })),
	}
}
