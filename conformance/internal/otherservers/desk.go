package otherservers

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Desk serves what can be judged of desk.yaml; what is named wrong, if anything,
// is done wrong.
func Desk(wrong string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notes", func(w http.ResponseWriter, r *http.Request) {
		c := &check{wrong: wrong}
		sent := r.Header.Values("Authorization")
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !c.want("credential required", len(sent) > 0) || !c.want("credential right", len(sent) == 0 ||
			strings.EqualFold(scheme, "Bearer") && strings.Trim(token, " ") == Key) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		o := c.note(r)
		title, ok := c.text("title", c.member("title", o, "title"))
		if n := utf8.RuneCountInString(title); ok {
			c.want("title short", n >= 1)
			c.want("title long", n <= 80)
		}
		c.boolean("urgent", o["urgent"])
		if c.complaint != "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer(w, http.StatusOK, map[string]any{"title": title})
	})
	return mux
}

// note reads the members of a note from a JSON text or a form. Done wrong, a form is
// taken as it is.
func (c *check) note(r *http.Request) map[string]value {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media != "application/x-www-form-urlencoded" {
		return c.object("note", c.body(r), false)
	}
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	fields, bad := url.ParseQuery(string(b))
	if c.wrong == "form" {
		return map[string]value{"title": value(`"any"`)}
	}
	c.want("form", err == nil && bad == nil && utf8.Valid(b))
	out := map[string]value{}
	for name, list := range fields {
		text, err := json.Marshal(list[0])
		c.want("form text", err == nil && len(list) == 1)
		out[name] = text
	}
	if urgent := fields.Get("urgent"); urgent == "true" || urgent == "false" {
		out["urgent"] = value(urgent)
	}
	return out
}
