package otherservers

import (
	"bytes"
	"maps"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

// Cards serves cards.yaml: a card takes a merge patch (RFC 7396) and a JSON Patch
// (RFC 6902). What is named wrong, if anything, is done wrong, or right in an unusual way.
func Cards(wrong string) http.Handler {
	var cards keeper
	mux := http.NewServeMux()
	cards.handle(mux, wrong, "POST /cards", func(c *check, r *http.Request) (int, any) {
		v := c.object("card", c.body(r), true, "front", "back", "hint")
		made := map[string]any{"front": c.word(v, "front")}
		for _, name := range []string{"back", "hint"} {
			if _, given := v[name]; given {
				made[name] = c.word(v, name)
			}
		}
		if c.complaint != "" {
			return 400, nil
		}
		return 201, cards.add(made)
	})
	cards.handle(mux, wrong, "GET /cards/{cardId}", func(_ *check, r *http.Request) (int, any) {
		if found := cards.find(r.PathValue("cardId")); found != nil {
			return 200, found
		}
		return 404, nil
	})
	cards.handle(mux, wrong, "PATCH /cards/{cardId}", func(c *check, r *http.Request) (int, any) {
		found := cards.find(r.PathValue("cardId"))
		if found == nil {
			return 404, nil
		}
		next, status, patch := maps.Clone(found), 200, false
		if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media == "application/json-patch+json" {
			status, patch = c.patchCard(next, c.body(r)), true
		} else {
			c.changeCard(next, c.body(r))
		}
		if c.complaint != "" {
			status = max(status, 400)
		}
		if status >= 400 && (wrong != "refused operations stay" || !patch) {
			return status, nil
		}
		answer := maps.Clone(next)
		switch {
		case wrong == "words are folded":
			for name, v := range next {
				if word, ok := v.(value); ok && !bytes.ContainsRune(word, '\\') {
					next[name], answer[name] = value(strings.ToUpper(string(word))), value(strings.ToUpper(string(word)))
				}
			}
		case wrong == "operations are not stored" && status == 200 && patch:
			next = maps.Clone(found)
		}
		clear(found)
		maps.Copy(found, next)
		return status, answer
	})
	return mux
}

// changeCard merges a patch.
func (c *check) changeCard(card map[string]any, body value) {
	v := c.object("change", body, true, "front", "back", "hint")
	for name, given := range v {
		if string(given) == "null" && name != "front" {
			delete(card, name)
			continue
		}
		card[name] = c.word(v, name)
	}
}

// patchCard applies operations, one after the other. It returns the status.
func (c *check) patchCard(card map[string]any, body value) int {
	list := c.array("patch", body)
	c.want("patch few", len(list) > 0)
	var operations []map[string]value
	for _, item := range list {
		v := c.object("operation", item, false)
		op, _ := c.text("op", c.member("op", v, "op"))
		c.want("op enum", op == "add" || op == "remove" || op == "replace" || op == "test")
		_, _ = c.text("path", c.member("path", v, "path"))
		operations = append(operations, v)
	}
	if c.complaint != "" {
		return 400
	}
	for _, v := range operations {
		var op, path string
		_ = json.Unmarshal(v["op"], &op)
		_ = json.Unmarshal(v["path"], &path)
		name, known := strings.CutPrefix(path, "/")
		old, there := card[name]
		word := ""
		isWord := v["value"] != nil && json.Unmarshal(v["value"], &word) == nil
		if !known || name != "front" && name != "back" && name != "hint" || op != "add" && !there {
			return 409
		}
		was, _ := old.(value)
		switch {
		case op == "test" && c.wrong == "test is ignored":
		case op == "test" && !bytes.Equal(was, v["value"]):
			return 409
		case op == "test":
		case name == "front" && (op == "remove" || c.wrong == "the front stays"):
			return 409
		case op == "remove" && c.wrong == "remove is ignored":
		case op == "remove":
			delete(card, name)
		case !isWord || len([]rune(word)) < 1 || len([]rune(word)) > 20:
			return 409
		case c.wrong == "replace clears the rest":
			for _, other := range []string{"back", "hint"} {
				delete(card, other)
			}
			card[name] = v["value"]
		default:
			card[name] = v["value"]
		}
	}
	return 200
}
