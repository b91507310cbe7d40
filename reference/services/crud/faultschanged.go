package crud

import (
	"bytes"
	"encoding/json"
	"slices"

	"plantstore/reference/kit"
)

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
			instead(op, asBefore("code"))),
		put("put-tags-stay", "replaceProject leaves the tags as they were", "the other table is not updated",
			instead(op, asBefore("tags"))),
		put("put-status-draft", "replaceProject stores draft, whatever was sent", "PUT and POST share a constructor that sets the default",
			instead(op, withOther(map[string]any{"status": "draft"}))),
		put("put-contact-lost", "replaceProject does not store the contact", "the nested object is replaced after the save",
			instead(op, withoutSome("contact"))),
		put("put-milestones-cut", "replaceProject stores the first milestone alone", "a loop ends with return",
			instead(op, func(_, is, _ map[string]any) map[string]any {
				is = with(is, nil)
				firstOf("milestones", 1)(is)
				return is
			})),
		put("put-tags-five", "replaceProject stores five tags alone, and answers with them", "the tags have a column each, of an older version of the document",
			replacing(func(_, is map[string]any) map[string]any {
				is = with(is, nil)
				firstOf("tags", 5)(is)
				return is
			})),
		put("put-other-project", "replaceProject stores its body in the project that was made before", "the id is taken for an index", misdirected(op)),
		history("put-twice-500", projectAt+"/put", "put-projects-projectid-answered", "a second PUT of one project is answered with 500", "the history has a unique key that a second change hits",
			crashesAfter(op, op)),
		history("put-deleted-500", projectAt+"/put", "put-projects-projectid-answered", "a PUT to a deleted project is answered with 500", "the row is locked before anybody asks whether it is there",
			crashesAfter("deleteProject", op)),
	}
}

// notesFaults lose what PUT gave to a part of a thing.
func notesFaults() []Fault {
	notes := func(name, breaks, doc string, change func(t *task, was, sent []byte)) Fault {
		return history(name, taskAt+"~1note/get", aboutTask+"note-stored-replaced", breaks, doc, noted(change))
	}
	return []Fault{
		notes("note-first-stays", "a second note does not replace the first", "INSERT without UPDATE, and the conflict is ignored", func(t *task, was, _ []byte) {
			if was != nil {
				t.note = was
			}
		}),
		notes("note-appended", "a second note is added to the first", "the file is opened to append", func(t *task, was, sent []byte) {
			if all := append(slices.Clip(was), sent...); len(all) <= 500 {
				t.note = all
			}
		}),
		notes("note-cut", "a note longer than 255 bytes is cut when it is stored", "the column is shorter than the document says", func(t *task, _, sent []byte) {
			t.note = bytes.ToValidUTF8(sent[:min(len(sent), 255)], nil)
		}),
		notes("note-cut-short", "a note longer than 16 bytes is cut when it is stored", "the column is shorter than the document says", func(t *task, _, sent []byte) {
			t.note = bytes.ToValidUTF8(sent[:min(len(sent), 16)], nil)
		}),
	}
}

// noted changes the note that is stored.
func noted(change func(t *task, was, sent []byte)) around {
	return changed("writeNote", func(c *call) func(*answer) {
		_, t := c.named()
		if t == nil {
			return nil
		}
		was := t.note
		return func(*answer) { change(t, was, c.body) }
	})
}

// wholeFaults keep what a PUT leaves out.
func wholeFaults() []Fault {
	const op, whole = "replaceProject", aboutProject + "replaced-whole"
	put := func(name, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/get", whole, breaks, doc, a)
	}
	// leftOut leaves a member that the PUT leaves out.
	leftOut := func(name string) func(was, is map[string]any) map[string]any {
		return func(was, is map[string]any) map[string]any {
			if is[name] == nil && was[name] != nil {
				return asBefore(name)(was, is, nil)
			}
			return is
		}
	}
	return []Fault{
		put("put-merges", "replaceProject leaves members that the PUT leaves out, and does not say so in its answer", "the object is filled from the request before it is saved, and the answer is made of the request",
			instead(op, func(was, is, _ map[string]any) map[string]any { return with(was, is) })),
		put("put-merges-openly", "replaceProject leaves members that the PUT leaves out, and answers with them", "PUT and PATCH share a handler",
			replacing(func(was, is map[string]any) map[string]any { return with(was, is) })),
		put("put-tags-kept", "replaceProject leaves the tags if the PUT has none", "the other table is only written if there is something to write",
			replacing(leftOut("tags"))),
		put("put-description-kept", "replaceProject leaves the description if the PUT has none", "an empty text is taken for unchanged",
			replacing(leftOut("description"))),
		put("put-contact-kept", "replaceProject leaves the contact if the PUT has none", "null is taken for unchanged in nested objects",
			replacing(leftOut("contact"))),
	}
}

// takenFaults take from clients what the service sets.
func takenFaults() []Fault {
	taken := func(op string) around {
		return afterwards(op, func(c *call, a *answer) {
			p := c.madeProject(a)
			text, _ := c.sent()["createdAt"].(string)
			if at, ok := kit.Moment(text); ok && p != nil {
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

// againFaults make another thing of a PUT each time that it comes.
func againFaults() []Fault {
	again := func(name, breaks, doc string, store func(was, is map[string]any) map[string]any) Fault {
		return history(name, projectAt+"/get", aboutProject+"replaced-again", breaks, doc, replacing(store))
	}
	return []Fault{
		again("put-milestones-appended", "replaceProject adds the milestones of the PUT to those that are there", "the rows of the other table are not deleted before the new ones are inserted", func(was, is map[string]any) map[string]any {
			old, _ := was["milestones"].([]any)
			more, _ := is["milestones"].([]any)
			if len(more) == 0 || len(old)+len(more) > 5 {
				return is
			}
			return with(is, map[string]any{"milestones": append(slices.Clone(old), more...)})
		}),
		again("put-budget-added", "replaceProject adds the budget of the PUT to the one that is there", "the handler books the amount", func(was, is map[string]any) map[string]any {
			old, _ := was["budget"].(json.Number)
			more, ok := is["budget"].(json.Number)
			if !ok || old == "" {
				return is
			}
			sum := kit.Decimal(old.String())
			if sum.Add(sum, kit.Decimal(more.String())); sum.Cmp(kit.Decimal("1000000")) >= 0 {
				return is
			}
			return with(is, map[string]any{"budget": json.Number(sum.FloatString(2))})
		}),
		again("put-description-appended", "replaceProject adds the description of the PUT to the one that is there", "the texts are kept as a history", func(was, is map[string]any) map[string]any {
			old, _ := was["description"].(string)
			more, _ := is["description"].(string)
			if old == "" || more == "" || len([]rune(old+"\n"+more)) > 200 {
				return is
			}
			return with(is, map[string]any{"description": old + "\n" + more})
		}),
	}
}

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
			instead(op, asBefore("description"))),
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
		rest("patch-zero-budget", "changeProject sets the budget to 0 where the patch does not name it", "a missing number is 0 in the class", unnamed(map[string]any{"budget": kit.Whole(0)})),
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
			instead(op, withoutSome("contact", "milestones", "team", "progress", "starts"))),
		rest("patch-code-renewed", "changeProject makes a new code", "a hook that is meant for POST runs at each save",
			instead(op, withOther(map[string]any{"code": "NEW-1"}))),
	}
}

// doneFaults lose what is done with a task.
func doneFaults() []Fault {
	// state keeps the old one of a task, with an answer that shows the new one.
	state := func(op string) around {
		return changed(op, func(c *call) func(*answer) {
			_, t := c.named()
			if t == nil {
				return nil
			}
			was := t.state
			return func(*answer) { t.state = was }
		})
	}
	done := func(name, op, breaks string) Fault {
		return history(name, taskAt+"/get", aboutTask+"stored-done", breaks, "the object is changed and not saved", state(op))
	}
	return []Fault{
		done("complete-not-stored", "completeTask", "completeTask answers with completed and stores nothing"),
		done("archive-not-stored", "archiveTask", "archiveTask answers with archived and stores nothing"),
	}
}
