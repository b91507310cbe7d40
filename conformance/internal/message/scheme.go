package message

import (
	"fmt"
	"regexp"

	"plantstore/conformance/internal/openapi"
)

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
