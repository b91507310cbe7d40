package otherservers

import (
	"net/http"
	"strings"
	"unicode/utf8"
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
		o := c.object("note", c.body(r), false)
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
