package otherservers

import (
	"errors"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// contactForms are the formats of the members in contacts.yaml.
var contactForms = map[string]func(text string) error{
	"mail":    ofMail,
	"site":    absolute,
	"host":    matching(`^([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)*[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`),
	"address": func(text string) error { return ofFamily(text, netip.Addr.Is6) },
	"opens":   func(text string) error { _, err := time.Parse("15:04:05Z07:00", strings.ToUpper(text)); return err },
	"answers": matching(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$`),
}

var errForm = errors.New("it has another form")

func ofMail(text string) error {
	a, err := mail.ParseAddress(text)
	if err == nil && a.Address != text {
		err = errForm
	}
	return err
}

func absolute(text string) error {
	u, err := url.Parse(text)
	if err == nil && (u.Scheme == "" || strings.ContainsAny(text, ` <>"{}|\^`+"`")) {
		err = errForm
	}
	return err
}

func matching(form string) func(text string) error {
	re := regexp.MustCompile(form)
	return func(text string) error {
		if !re.MatchString(text) || strings.HasSuffix(text, "P") || strings.HasSuffix(text, "T") {
			return errForm
		}
		return nil
	}
}

func ofFamily(text string, is func(netip.Addr) bool) error {
	a, err := netip.ParseAddr(text)
	if err == nil && (!is(a) || a.Zone() != "") {
		err = errForm
	}
	return err
}

// Contacts serves contacts.yaml. It also refuses texts of a member that an expression matches, if
// they are named: "mail \+".
func Contacts(wrong string) http.Handler {
	k := &keeper{}
	name, form, _ := strings.Cut(wrong, " ")
	narrow := regexp.MustCompile(form)
	judge := func(c *check, member, text string) {
		c.want(member, contactForms[member](text) == nil && (member != name || !narrow.MatchString(text)))
	}
	mux := http.NewServeMux()
	k.handle(mux, "", "GET /contacts", func(c *check, r *http.Request) (int, any) {
		for member, texts := range r.URL.Query() {
			if contactForms[member] != nil {
				judge(c, member, texts[0])
			}
		}
		return 200, []any{}
	})
	k.handle(mux, "", "POST /contacts", func(c *check, r *http.Request) (int, any) {
		b := c.object("contact", c.body(r), true, "mail", "site", "host", "address", "opens", "answers")
		c.member("mail", b, "mail")
		out := map[string]any{}
		for member, v := range b {
			if text, ok := c.text(member, v); ok && contactForms[member] != nil {
				judge(c, member, text)
			}
			out[member] = v
		}
		if c.complaint != "" {
			return 400, nil
		}
		return 201, k.add(out)
	})
	return mux
}
