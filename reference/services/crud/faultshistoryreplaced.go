package crud

import (
	"bytes"
	"slices"
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
			both(remembers(op, "put "), crashesWhen(op, marked("put ")))),
		history("put-deleted-500", projectAt+"/put", "put-projects-projectid-answered", "a PUT to a deleted project is answered with 500", "the row is locked before anybody asks whether it is there",
			both(remembers("deleteProject", "gone "), crashesWhen(op, marked("gone ")))),
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
	return on("writeNote", func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		_, t := c.named()
		var was []byte
		if t != nil {
			was = t.note
		}
		c.store.Unlock()
		a := do(c)
		if a.status < 300 && t != nil {
			c.store.Lock()
			defer c.store.Unlock()
			change(t, was, c.body)
		}
		return a
	})
}
