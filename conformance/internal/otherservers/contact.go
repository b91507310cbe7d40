package otherservers

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Contact serves contact.yaml; what is named wrong, if anything, is done wrong. What is
// moved checks nothing: the other address does.
func Contact(wrong string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /contact", func(w http.ResponseWriter, r *http.Request) {
		c := &check{wrong: wrong}
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		fields, bad := url.ParseQuery(string(b))
		c.want("form", err == nil && bad == nil && media == "application/x-www-form-urlencoded" && utf8.Valid(b))
		topic := fields["topic"]
		c.want("topic", len(topic) == 1 && (topic[0] == "sales" || topic[0] == "support"))
		if age, given := fields["age"]; given {
			n, err := strconv.Atoi(age[0])
			c.want("age integer", len(age) == 1 && err == nil && strings.Trim(age[0], "0123456789") == "")
			c.want("age least", err != nil || n >= 18)
			c.want("age most", err != nil || n <= 120)
		}
		if c.complaint != "" {
			answer(w, http.StatusBadRequest, map[string]string{"why": c.complaint})
			return
		}
		w.Header().Set("Location", "/thanks")
		w.WriteHeader(http.StatusSeeOther)
	})
	mux.HandleFunc("GET /moved", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/new?"+r.URL.RawQuery)
		w.WriteHeader(http.StatusPermanentRedirect)
	})
	return mux
}
