package otherservers

import (
	"net/http"
	"regexp"
)

var noteKey = regexp.MustCompile(`^[a-z0-9-]{3,30}$`)

// Notes serves notes.yaml: a client chooses the key of a note when it puts it, and can
// delete all notes. What is named wrong, if anything, is done wrong.
func Notes(wrong string) http.Handler {
	var k keeper
	notes := map[string]map[string]any{}
	mux := http.NewServeMux()
	k.handle(mux, wrong, "PUT /notes/{key}", func(c *check, r *http.Request) (int, any) {
		key := r.PathValue("key")
		c.want("key", noteKey.MatchString(key))
		text := c.word(c.object("note", c.body(r), true, "text"), "text")
		if c.complaint != "" {
			return 400, nil
		}
		status := 200
		if notes[key] == nil {
			status = 201
		}
		notes[key] = map[string]any{"key": key, "text": text}
		return status, notes[key]
	})
	k.handle(mux, wrong, "GET /notes/{key}", func(_ *check, r *http.Request) (int, any) {
		key := r.PathValue("key")
		note := notes[key]
		switch {
		case note == nil || !noteKey.MatchString(key):
			return 404, nil
		case wrong == "note without text":
			return 200, map[string]any{"key": note["key"]}
		}
		return 200, note
	})
	k.handle(mux, wrong, "DELETE /notes/{key}", func(_ *check, r *http.Request) (int, any) {
		key := r.PathValue("key")
		if notes[key] == nil || !noteKey.MatchString(key) {
			return 404, nil
		}
		delete(notes, key)
		if wrong == "delete answers" {
			return 202, map[string]any{"gone": key}
		}
		return 204, nil
	})
	k.handle(mux, wrong, "DELETE /notes", func(*check, *http.Request) (int, any) {
		clear(notes)
		if wrong == "clear answers" {
			return 202, nil
		}
		return 204, nil
	})
	return mux
}
