package otherservers

import (
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Guides serves guides.yaml. What is named wrong, if anything, is done wrong, or right in an
// unusual way: an answer to POST or PUT says what is stored.
func Guides(wrong string) http.Handler {
	var guides keeper
	comments := map[any][]any{}
	mux := http.NewServeMux()
	guides.handle(mux, wrong, "POST /guides", func(c *check, r *http.Request) (int, any) {
		given := c.guide(r)
		if c.complaint != "" {
			return 400, nil
		}
		return 201, guides.add(kept(wrong, given))
	})
	guides.handle(mux, wrong, "GET /guides/{id}", guides.read)
	guides.handle(mux, wrong, "PUT /guides/{id}", func(c *check, r *http.Request) (int, any) {
		found := guides.find(r.PathValue("id"))
		if found == nil {
			return 404, nil
		}
		given := c.guide(r)
		if c.complaint != "" {
			return 400, nil
		}
		if wrong == "put keeps the tags" && found["tags"] != nil {
			given["tags"] = found["tags"]
		}
		given["id"] = found["id"]
		clear(found)
		maps.Copy(found, given)
		return 200, found
	})
	guides.handle(mux, wrong, "POST /guides/{id}/comments", func(c *check, r *http.Request) (int, any) {
		found := guides.find(r.PathValue("id"))
		if found == nil {
			return 404, nil
		}
		comment := c.words(r, "comment", false, "text")
		if c.complaint != "" {
			return 400, nil
		}
		comment["id"] = len(comments[found["id"]]) + 1
		switch wrong {
		case "comments wait":
			comment["state"] = "pending"
		case "comments are not kept":
		default:
			comments[found["id"]] = append(comments[found["id"]], comment)
		}
		return 201, comment
	})
	guides.handle(mux, wrong, "GET /guides/{id}/comments", func(_ *check, r *http.Request) (int, any) {
		found := guides.find(r.PathValue("id"))
		if found == nil {
			return 404, nil
		}
		return 200, append([]any{}, comments[found["id"]]...)
	})
	return mux
}

// guide reads a NewGuide. Without a value, shown is false.
func (c *check) guide(r *http.Request) map[string]any {
	v := c.object("guide", c.body(r), true, "title", "views", "shown", "tags", "labels")
	out := map[string]any{"shown": false}
	sized := func(name string, v value, most int) {
		s, ok := c.text(name, v)
		if n := len([]rune(s)); ok {
			c.want(name+" length", n >= 1 && n <= most)
		}
	}
	most := 60
	if c.wrong == "titles may have 65 letters" {
		most = 65
	}
	sized("title", c.member("title", v, "title"), most)
	if n, ok := c.integer("views", v["views"]); ok {
		c.want("views range", n.Sign() >= 0 && n.IsInt() && n.Num().IsInt64())
		v["views"] = value(n.Num().String())
	}
	c.boolean("shown", v["shown"])
	if v["tags"] != nil {
		tags := c.array("tags", v["tags"])
		c.want("tags size", len(tags) <= 4)
		for _, tag := range tags {
			sized("tag", tag, 20)
		}
	}
	if v["labels"] != nil {
		labels := c.object("labels", v["labels"], false)
		c.want("labels size", len(labels) <= 4)
		for _, label := range labels {
			sized("label", label, 20)
		}
	}
	for name, is := range v {
		out[name] = is
	}
	return out
}

// kept is what becomes of a new guide in the store.
func kept(wrong string, given map[string]any) map[string]any {
	change := func(name string, to func(value) any) {
		if v, ok := given[name].(value); ok {
			given[name] = to(v)
		}
	}
	text := func(v value, to func(string) string) any {
		var s string
		if json.Unmarshal(v, &s) != nil {
			return v
		}
		return to(s)
	}
	switch wrong {
	case "views are doubles":
		change("views", func(v value) any {
			n, _ := new(big.Float).SetPrec(53).SetString(string(v))
			whole, _ := n.Int(nil)
			return value(whole.String())
		})
	case "shown is true":
		given["shown"] = true
	case "labels are emptied":
		change("labels", func(value) any { return map[string]any{} })
	case "titles are in small letters":
		change("title", func(v value) any { return text(v, strings.ToLower) })
	case "titles are in Latin":
		change("title", func(v value) any {
			return text(v, func(s string) string {
				return strings.Map(func(r rune) rune {
					if r > 255 {
						return '?'
					}
					return r
				}, s)
			})
		})
	case "titles are trimmed":
		change("title", func(v value) any { return text(v, strings.TrimSpace) })
	case "tags are sorted":
		change("tags", func(v value) any {
			var list []value
			if json.Unmarshal(v, &list) != nil {
				return v
			}
			slices.SortFunc(list, func(a, b value) int { return strings.Compare(string(a), string(b)) })
			return list
		})
	}
	return given
}
