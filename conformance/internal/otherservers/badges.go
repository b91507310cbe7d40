package otherservers

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Badges serves badges.yaml; what is named wrong, if anything, is done wrong. A media
// type that is named wrong is not checked.
func Badges(wrong string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /badges", func(w http.ResponseWriter, r *http.Request) {
		media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		c := &check{wrong: wrong}
		c.want("read", err == nil)
		switch media {
		case "application/json", "text/json":
			v := value(b)
			if c.want("body json", v.IsValid()) {
				c.badge(c.object("badge", v, false))
			}
		case "application/x-www-form-urlencoded":
			c.badgeForm(b)
		case "multipart/form-data":
			c.badgeParts(b, params["boundary"])
		case "text/plain":
			n := utf8.RuneCount(b)
			c.want("line", utf8.Valid(b) && n >= 1 && n <= 30)
		default:
			if wrong == "415 answer" {
				answer(w, http.StatusUnsupportedMediaType, map[string]any{"reason": media})
				return
			}
			answer(w, http.StatusUnsupportedMediaType, map[string]any{"why": media})
			return
		}
		switch {
		case wrong == media+" refused":
			answer(w, http.StatusUnsupportedMediaType, map[string]any{"why": media})
		case c.complaint != "" && wrong != media:
			answer(w, http.StatusBadRequest, map[string]any{"why": c.complaint})
		default:
			answer(w, http.StatusCreated, map[string]any{"made": true})
		}
	})
	return mux
}

// badge checks the members of a Badge.
func (c *check) badge(o map[string]value) {
	if s, ok := c.text("holder", c.member("holder", o, "holder")); ok {
		c.holder(s)
	}
	if n, ok := c.integer("floor", o["floor"]); ok {
		c.want("floor range", least(n, 0) && most(n, 9))
	}
}

func (c *check) holder(s string) {
	n := utf8.RuneCountInString(s)
	c.want("holder length", n >= 1 && n <= 40)
}

// badgeForm checks a Badge in a form.
func (c *check) badgeForm(b []byte) {
	fields, bad := url.ParseQuery(string(b))
	if !c.want("form", bad == nil && utf8.Valid(b)) {
		return
	}
	o := map[string]value{}
	for _, name := range []string{"holder", "floor"} {
		list := fields[name]
		c.want("once", len(list) < 2)
		if len(list) == 0 {
			continue
		}
		c.want("form text", utf8.ValidString(list[0]))
		if name == "floor" {
			c.want("floor digits", len(list[0]) == 1 && list[0] >= "0" && list[0] <= "9")
			continue
		}
		text, err := json.Marshal(list[0])
		c.want("form text", err == nil)
		o[name] = text
	}
	c.badge(o)
}

// badgeParts checks a badge in parts.
func (c *check) badgeParts(b []byte, boundary string) {
	parts, err := multipart.NewReader(bytes.NewReader(b), boundary).ReadForm(1 << 20)
	if !c.want("parts", err == nil) {
		return
	}
	holders := parts.Value["holder"]
	if c.want("holder required", len(holders) == 1) && len(holders) == 1 {
		c.holder(holders[0])
	}
	c.want("picture required", len(parts.File["picture"])+len(parts.Value["picture"]) == 1)
}
