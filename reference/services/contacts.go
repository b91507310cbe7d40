package services

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/reference/kit"
)

// Contact serves contact.yaml; what is named wrong, if anything, is done wrong. What is
// moved checks nothing: the other address does.
func Contact(wrong string) http.Handler {
	service := kit.New(wrong)
	service.HandleFunc("POST /contact", func(w http.ResponseWriter, r *http.Request) {
		c := &kit.Check{Wrong: wrong}
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		fields, bad := url.ParseQuery(string(b))
		c.Want("form", err == nil && bad == nil && media == "application/x-www-form-urlencoded" && utf8.Valid(b))
		topic := fields["topic"]
		c.Want("topic", len(topic) == 1 && (topic[0] == "sales" || topic[0] == "support"))
		if age, given := fields["age"]; given {
			n, err := strconv.Atoi(age[0])
			c.Want("age integer", len(age) == 1 && err == nil && strings.Trim(age[0], "0123456789") == "")
			c.Want("age least", err != nil || n >= 18)
			c.Want("age most", err != nil || n <= 120)
		}
		if c.Complaint != "" {
			kit.Answer(w, http.StatusBadRequest, map[string]string{"why": c.Complaint})
			return
		}
		w.Header().Set("Location", "/thanks")
		w.WriteHeader(http.StatusSeeOther)
	})
	service.HandleFunc("GET /moved", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/new?"+r.URL.RawQuery)
		w.WriteHeader(http.StatusPermanentRedirect)
	})
	return service
}

// contactForms are the formats of the members in contacts.yaml.
var contactForms = map[string]string{"mail": "email", "site": "uri", "host": "hostname", "address": "ipv6", "opens": "time", "answers": "duration"}

// Contacts serves contacts.yaml. It also refuses texts of a member that an expression matches, if
// they are named: "mail \+".
func Contacts(wrong string) http.Handler {
	k := &kit.Store{}
	name, form, _ := strings.Cut(wrong, " ")
	narrow := regexp.MustCompile(form)
	judge := func(c *kit.Check, member, text string) {
		c.Want(member, kit.HasFormat(contactForms[member], text) && (member != name || !narrow.MatchString(text)))
	}
	service := kit.New("")
	service.On("GET /contacts", func(c *kit.Check, r *http.Request) (int, any) {
		for member, texts := range r.URL.Query() {
			if contactForms[member] != "" {
				judge(c, member, texts[0])
			}
		}
		return 200, []any{}
	})
	service.On("POST /contacts", func(c *kit.Check, r *http.Request) (int, any) {
		b := c.Object("contact", c.Body(r), true, "mail", "site", "host", "address", "opens", "answers")
		c.Member("mail", b, "mail")
		out := map[string]any{}
		for member, v := range b {
			if text, ok := c.Text(member, v); ok && contactForms[member] != "" {
				judge(c, member, text)
			}
			out[member] = v
		}
		return k.Made(c, out)
	})
	return service.Keeping(k.Shown(nil))
}
