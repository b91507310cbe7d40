package message

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

// Presented is one header field, query parameter or cookie that carries a credential.
type Presented struct {
	// In is query or cookie, and empty for a header field.
	In    string
	Field string // its name
	// Value makes the value from the valid credential.
	Value func(token string) string
	// Show is the value as a shell would write it, with $CONFORMANCE_TOKEN.
	Show string
	// Scheme is the name of the security scheme whose credential it is made from.
	Scheme string
}

// Carried is where a request can carry credentials.
type Carried struct{ Fields, Query, Cookies []exchange.Field }

// Carry returns what a request carries that presents these credentials. Key returns
// the valid credential of a scheme.
func Carry(list []Presented, key func(scheme string) string) Carried {
	var out Carried
	for _, p := range list {
		f := exchange.Field{Name: p.Field, Value: p.Value(key(p.Scheme))}
		switch p.In {
		case "query":
			out.Query = append(out.Query, f)
		case "cookie":
			out.Cookies = append(out.Cookies, f)
		default:
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// tokenVariable is the environment variable that stands for the credential in texts.
const tokenVariable = "CONFORMANCE_TOKEN"

// Keys are the credentials of single schemes, by name. They may be renewed while
// requests are sent: each renewal has a number, and a request is read with the
// credentials that it was made with. A nil *Keys has none.
type Keys struct {
	mu   sync.RWMutex
	past []map[string]string // the last one is valid
}

// NewKeys returns the first credentials.
func NewKeys(first map[string]string) *Keys {
	return &Keys{past: []map[string]string{maps.Clone(first)}}
}

// Renew makes these the credentials of their schemes, from the next request on.
func (k *Keys) Renew(values map[string]string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	next := maps.Clone(k.past[len(k.past)-1])
	maps.Copy(next, values)
	k.past = append(k.past, next)
}

// Number is that of the last renewal.
func (k *Keys) Number() int {
	if k == nil {
		return 0
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.past) - 1
}

// of returns the credential of a scheme after a renewal, and whether it has one of
// its own.
func (k *Keys) of(scheme string, number int) (string, bool) {
	if k == nil {
		return "", false
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	v, found := k.past[min(number, len(k.past)-1)][scheme]
	return v, found
}

// Credential returns the valid credential of a scheme.
func (e *Endpoint) Credential(scheme string) string { return e.credentialAt(scheme, e.number()) }

// AsOther returns the same endpoint for the other principal.
func (e *Endpoint) AsOther() *Endpoint {
	out := *e
	out.asOther = true
	return &out
}

// otherKeys stands for the number of a renewal in the requests of the other principal.
const otherKeys = -1

// keysOf returns the number of the credentials that a message is sent with.
func (e *Endpoint) keysOf(m *Message) int {
	if m.Other {
		return otherKeys
	}
	return e.number()
}

// number is that of the credentials which messages are usually sent with.
func (e *Endpoint) number() int {
	if e.asOther {
		return otherKeys
	}
	return e.Keys.Number()
}

// ofOther reports whether the credential of a scheme is that of the other principal.
func (e *Endpoint) ofOther(scheme string, number int) bool {
	return number == otherKeys && e.Other[scheme] != ""
}

func (e *Endpoint) credentialAt(scheme string, number int) string {
	switch {
	case e.ofOther(scheme, number):
		return e.Other[scheme]
	case number == otherKeys:
		number = e.Keys.Number()
	}
	if v, found := e.Keys.of(scheme, number); found {
		return v
	}
	return e.Token
}

// keysAt lists the credentials of a scheme that a target may accept: that of a renewal,
// then those of the others and of the other principal.
func (e *Endpoint) keysAt(number int) func(scheme string) []string {
	return func(scheme string) []string {
		out := []string{e.credentialAt(scheme, number)}
		for n := range e.Keys.Number() + 1 {
			if v := e.credentialAt(scheme, n); n != number && v != out[0] {
				out = append(out, v)
			}
		}
		if v := e.Other[scheme]; v != "" && v != out[0] {
			out = append(out, v)
		}
		return out
	}
}

// Shows returns the text for a credential that reports and commands have instead of
// its value.
func (e *Endpoint) Shows(p Presented) string { return e.shows(p, e.number()) }

func (e *Endpoint) shows(p Presented, keys int) string {
	if e.ofOther(p.Scheme, keys) {
		return strings.ReplaceAll(p.Show, tokenVariable, OtherVariable(p.Scheme))
	}
	if _, found := e.Keys.of(p.Scheme, 0); found {
		return strings.ReplaceAll(p.Show, tokenVariable, Variable(p.Scheme))
	}
	return p.Show
}

// Variable is the name of the environment variable with the credential of a scheme.
func Variable(scheme string) string { return "CONFORMANCE_AUTH_" + spelled(scheme) }

// OtherVariable is the name of the one with the credential of the other principal.
func OtherVariable(scheme string) string { return "CONFORMANCE_AUTH_OTHER_" + spelled(scheme) }

// spelled writes the name of a scheme as part of a variable's name.
func spelled(scheme string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			return c
		}
		return '_'
	}, scheme)
}

// wireQuery writes the credentials in a query. In texts, what has a variable in it
// stays as a shell writes it.
func (e *Endpoint) wireQuery(list []Presented, keys int, show bool) string {
	var pairs []string
	for _, p := range list {
		if p.In == "query" {
			pairs = append(pairs, escape(p.Field)+"="+e.queryValue(p, keys, show))
		}
	}
	return strings.Join(pairs, "&")
}

func (e *Endpoint) queryValue(p Presented, keys int, show bool) string {
	if show && strings.Contains(p.Show, tokenVariable) {
		return e.shows(p, keys)
	}
	return escape(p.Value(e.credentialAt(p.Scheme, keys)))
}

// cookies writes the credentials in cookies.
func (e *Endpoint) cookies(list []Presented, keys int, show bool) []string {
	var out []string
	for _, p := range list {
		switch {
		case p.In != "cookie":
		case show:
			out = append(out, p.Field+"="+e.shows(p, keys))
		default:
			out = append(out, p.Field+"="+p.Value(e.credentialAt(p.Scheme, keys)))
		}
	}
	return out
}

// escape percent-encodes everything but unreserved characters (RFC 3986, 2.3).
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
	}
	return b.String()
}

// Text is the shown form of a credential with its name, and what is sent for it.
type Text struct{ Shown, Value string }

// QueryTexts returns the forms of credentials in a query.
func (e *Endpoint) QueryTexts(list []Presented) []Text {
	return e.texts(list, "query", func(p Presented, show bool) string { return e.wireQuery([]Presented{p}, e.number(), show) })
}

// CookieTexts returns the forms of credentials in cookies.
func (e *Endpoint) CookieTexts(list []Presented) []Text {
	return e.texts(list, "cookie", func(p Presented, show bool) string { return e.cookies([]Presented{p}, e.number(), show)[0] })
}

func (e *Endpoint) texts(list []Presented, in string, write func(p Presented, show bool) string) []Text {
	var out []Text
	for _, p := range list {
		if p.In == in && strings.Contains(p.Show, tokenVariable) {
			out = append(out, Text{write(p, true), write(p, false)})
		}
	}
	return out
}

// Scheme describes a kind of security scheme: how to send it, how to get it wrong,
// and how to recognise it in the bytes of a request.
type Scheme struct {
	Name string
	Doc  string
	// Serves reports whether the document's scheme is of this kind.
	Serves func(s *openapi.Scheme) bool
	// Valid makes the valid credential. It is empty for one that belongs to the
	// connection.
	Valid func(s *openapi.Scheme) []Presented
	// Attempts returns the credentials to try, in a fixed order.
	Attempts func(s *openapi.Scheme) []Attempt
	// Classify says what a request carries for the scheme. It sets below if a refusal
	// may come from below the application.
	Classify func(s *openapi.Scheme, in Carried, token string) (c Credential, below bool)
}

// Attempt is one way to authenticate, right or wrong.
type Attempt struct {
	Name      string // "absent", "token-prefix", ...
	Presented []Presented
	// Useful reports whether the attempt makes a different value from this token: a
	// token without letters has no other case. Nil means always.
	Useful func(token string) bool
	// Scheme is the name of the scheme that it is about. Beside are the valid
	// credentials of those that are needed with it.
	Scheme string
	Beside []Presented
	// Prefix tells the attempts of several schemes apart; it is empty for a single one.
	Prefix string
}

// All returns everything that the attempt presents.
func (a Attempt) All() []Presented {
	if len(a.Beside) == 0 {
		return a.Presented
	}
	return append(append([]Presented{}, a.Beside...), a.Presented...)
}

// Slug is the name of the attempt in ids.
func (a Attempt) Slug() string { return a.Prefix + a.Name }

// FindScheme returns the entry for a scheme of the document, or nil.
func FindScheme(list []Scheme, s *openapi.Scheme) *Scheme {
	for i := range list {
		if list[i].Serves(s) {
			return &list[i]
		}
	}
	return nil
}

// ValidateSchemes returns an error for a bad catalogue.
func ValidateSchemes(list []Scheme) error {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, s := range list {
		if !name.MatchString(s.Name) {
			return fmt.Errorf("scheme %q: the name is not lower-case words joined by dashes", s.Name)
		}
		if s.Doc == "" || s.Serves == nil || s.Valid == nil || s.Attempts == nil || s.Classify == nil {
			return fmt.Errorf("scheme %q lacks a part", s.Name)
		}
		if seen[s.Name] {
			return fmt.Errorf("scheme %q is listed twice", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// Given returns the valid credentials that the user gave by name, each scheme once. The list has
// an entry for each operation, nil where it needs no credential.
func Given(list []*Auth) []Attempt {
	var out []Attempt
	seen := map[string]bool{}
	for _, a := range list {
		if a == nil {
			continue
		}
		for _, alt := range a.alternatives {
			for _, p := range alt.parts {
				if !alt.given || p.of.Shared || seen[p.of.Name] {
					continue
				}
				seen[p.of.Name] = true
				out = append(out, Attempt{Name: "of-" + p.of.Slug, Presented: p.present(p.Scheme.Valid(p.of)), Scheme: p.of.Name})
			}
		}
	}
	return out
}

// OtherSchemes returns those of the given credentials that the operation does not ask for, as the
// only credential of a request: they must not let it in. It leaves out those in the place of a credential
// that the operation asks for, which may be right there too, unless the name of an HTTP scheme, such as
// Basic or Bearer, tells them apart.
func (a *Auth) OtherSchemes(given []Attempt) []Attempt {
	if !a.Required() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(given), func(other Attempt) bool {
		switch {
		case len(other.Presented) == 0:
			return true
		case !a.expects(other.Presented):
			return false
		}
		c, _ := a.Wrong(other, sample)
		return c != CredentialScheme || !slices.ContainsFunc(other.Presented, func(p Presented) bool { return strings.Contains(p.Value(sample), " ") })
	})
}

// expects reports whether a scheme of the operation has its credential in one of the places of
// these.
func (a *Auth) expects(list []Presented) bool {
	return slices.ContainsFunc(a.keys, func(own part) bool {
		return slices.ContainsFunc(own.Scheme.Valid(own.of), func(mine Presented) bool {
			return slices.ContainsFunc(list, func(p Presented) bool { return mine.In == p.In && strings.EqualFold(mine.Field, p.Field) })
		})
	})
}
