package conformance

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
)

// logins names the user and the password of basic authentication as the values of every
// operation without credentials that requires both and lists 401, unless the user of the suite
// names others. Each is written as [requirement.NameValues] reads it.
func (s *setup) logins() []string {
	user, password := s.basicUser()
	if user == "" || password == "" {
		return nil
	}
	var out []string
	for _, op := range s.contract.Operations {
		if len(op.Security) > 0 && !op.Unasked || op.Method != "POST" || op.Body == nil || op.Response(401) == nil {
			continue
		}
		name, secret := required(op, hints.User), required(op, hints.Password)
		if name == nil || secret == nil || openapi.Flat(name.Name) == "email" && !strings.Contains(user, "@") || s.valued(name.Name) || s.valued(secret.Name) {
			continue
		}
		out = append(out, op.Slug+":"+name.Path+"="+user, op.Slug+":"+secret.Path+"="+password)
	}
	return out
}

// basicUser returns the user and the password of the first scheme of basic authentication
// whose credential is given.
func (s *setup) basicUser() (user, password string) {
	for _, op := range s.contract.Operations {
		for _, alternative := range op.Security {
			for _, scheme := range alternative {
				if scheme.HTTP == "basic" && s.config.Auth[scheme.Name] != "" {
					user, password, _ = strings.Cut(s.config.Auth[scheme.Name], ":")
					return user, password
				}
			}
		}
	}
	return "", ""
}

// required returns the required text in the body of an operation whose name has a meaning.
func required(op *openapi.Operation, of hints.Meaning) *openapi.Member {
	for _, m := range op.Members() {
		if m.Required && strings.LastIndexByte(m.Path, '/') == 0 && m.Schema.Type() == "string" && m.Schema.Enum == nil && hints.Called(m.Name, of) {
			return &m
		}
	}
	return nil
}

// valued reports whether the user names a value of a member.
func (s *setup) valued(member string) bool {
	return strings.Contains(string(s.config.ValuesFile), member) ||
		slices.ContainsFunc(s.config.Values, func(text string) bool { return strings.Contains(text, "/"+member+"=") })
}
