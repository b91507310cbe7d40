package conformance

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/redact"
	"plantstore/internal/nearest"
)

// given reports whether the user gave a credential for a scheme, and whether it is the
// one for every scheme.
func (c Config) given(s *openapi.Scheme) (given, shared bool) {
	switch {
	case s.Certificate():
		return len(c.Cert) > 0, false
	case s.Header != "":
		return true, false
	case c.Renew[s.Name] != nil, c.Auth[s.Name] != "":
		return true, false
	}
	return c.Token != "", c.Token != ""
}

// fromEnvironment takes credentials from the environment.
func (c *Config) fromEnvironment(document *openapi.Contract) {
	if c.Getenv == nil {
		return
	}
	c.Auth, c.AuthOther = maps.Clone(c.Auth), maps.Clone(c.AuthOther)
	add := func(s *openapi.Scheme) {
		if s.OnConnection() {
			return
		}
		if c.Renew[s.Name] == nil {
			c.Auth = added(c.Auth, s.Name, c.Getenv(message.Variable(s.Name)))
		}
		c.AuthOther = added(c.AuthOther, s.Name, c.Getenv(message.OtherVariable(s.Name)))
	}
	for _, op := range document.Operations {
		for _, alt := range op.Security {
			for _, s := range alt {
				add(s)
			}
		}
	}
	if c.AuthAlways {
		for _, s := range document.Schemes {
			add(s)
		}
	}
}

// carried notes the credentials in headers of the user.
func (s *setup) carried() error {
	fields, err := headers(s.config.Headers)
	if err != nil {
		return err
	}
	var names, cookies []string
	for _, f := range fields {
		names = append(names, f.Name)
		if strings.EqualFold(f.Name, "Cookie") {
			for _, c := range strings.Split(f.Value, ";") {
				name, _, _ := strings.Cut(strings.TrimSpace(c), "=")
				cookies = append(cookies, name)
			}
		}
	}
	s.contract = s.contract.Headers(names, cookies)
	return nil
}

// ask gives credentials to operations of which the document asks for none.
func (s *setup) ask() error {
	if !s.config.AuthAlways {
		return nil
	}
	list := s.contract.Always(s.config.given)
	if len(list) == 0 {
		return fmt.Errorf("--auth-always: no credential is given: %s", s.asking())
	}
	s.contract = s.contract.Ask(list)
	return nil
}

// added returns a list of credentials with that of a scheme, unless it has one.
func added(to map[string]string, scheme, value string) map[string]string {
	if value == "" || to[scheme] != "" {
		return to
	}
	if to == nil {
		to = map[string]string{}
	}
	to[scheme] = value
	return to
}

// certificates returns the client certificate.
func (s *setup) certificates(to exchange.Target) ([]tls.Certificate, error) {
	switch {
	case len(s.config.Cert) == 0:
		return nil, nil
	case to.Scheme != "https":
		return nil, errors.New("a client certificate needs TLS: give a target with https")
	}
	pair, err := tls.X509KeyPair(s.config.Cert, s.config.Key)
	if err != nil { // its text may have bytes of the key
		return nil, errors.New("the client certificate and its key cannot be read: give PEM files that belong together")
	}
	return []tls.Certificate{pair}, nil
}

// hint says what a scheme needs, and the flags that give it.
func hint(s *openapi.Scheme) string {
	if s.Certificate() {
		return "needs a client certificate: give --cert and --key"
	}
	return fmt.Sprintf("needs a token: give --auth %s=VALUE or %s, or for every scheme --token, --token-file or CONFORMANCE_TOKEN", s.Name, message.Variable(s.Name))
}

// keys returns the credentials of single schemes.
func (s *setup) keys() *message.Keys {
	return message.NewKeys(s.config.Auth)
}

// credentials refuses credentials that cannot be sent.
func (s *setup) credentials() error {
	if bad(s.config.Token) {
		return errors.New("the token contains characters that are not allowed in a header: give the token alone, without spaces or line breaks")
	}
	if err := s.refused("--auth", s.config.Auth); err != nil {
		return err
	}
	if err := s.refused("--auth-other", s.config.AuthOther); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.config.AuthOther)) {
		if s.config.AuthOther[name] == s.endpoint.Credential(name) {
			return fmt.Errorf("%s: it is the usual credential of that scheme: give one of somebody else", s.origin("--auth-other", name))
		}
	}
	known := s.known()
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if scheme := known[name]; scheme.In == "cookie" && scheme.Given && s.config.Auth[name] == "" {
			if err := sendable(scheme, s.config.Token); err != nil {
				return fmt.Errorf("the token: %w", err)
			}
		}
	}
	return nil
}

// known returns the schemes of the operations by name.
func (s *setup) known() map[string]*openapi.Scheme {
	out := map[string]*openapi.Scheme{}
	for _, op := range s.contract.Operations {
		for _, alt := range op.Security {
			for _, scheme := range alt {
				out[scheme.Name] = scheme
			}
		}
	}
	return out
}

// named refuses credentials of schemes that the document does not have, before anything
// is said about the operations that need them.
func (c Config) named(document *openapi.Contract) error {
	known := document.SchemeNames
	for _, list := range []struct {
		flag  string
		names []string
	}{
		{"--auth", slices.Collect(maps.Keys(c.Auth))},
		{"--auth-other", slices.Collect(maps.Keys(c.AuthOther))},
		{"--auth-command", slices.Collect(maps.Keys(c.Renew))},
	} {
		for _, name := range slices.Sorted(slices.Values(list.names)) {
			if slices.Contains(known, name) {
				continue
			}
			hint := "it has none, so leave out the flag"
			if len(known) > 0 {
				hint = cmp.Or(nearest.Hint(name, known), "use one of "+strings.Join(known, ", "))
			}
			return fmt.Errorf("%s %s: the document has no security scheme of that name: %s", list.flag, name, hint)
		}
	}
	return nil
}

// refused returns an error for credentials that cannot be sent. The flag gives them.
func (s *setup) refused(flag string, values map[string]string) error {
	known := s.known()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		scheme := known[name]
		if scheme == nil {
			continue // no operation of this run needs it
		}
		if err := sendable(scheme, values[name]); err != nil {
			return fmt.Errorf("%s: %w", s.origin(flag, name), err)
		}
	}
	return nil
}

// origin names the flag or the variable that the credential of a scheme came from.
func (s *setup) origin(flag, scheme string) string {
	variable, value := message.Variable(scheme), s.config.Auth[scheme]
	if flag == "--auth-other" {
		variable, value = message.OtherVariable(scheme), s.config.AuthOther[scheme]
	}
	if s.config.Getenv != nil && s.config.Getenv(variable) == value {
		return variable
	}
	return flag + " " + scheme
}

// bad reports whether a text has characters that are not allowed in a header.
func bad(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' })
}

// sendable returns an error for a credential that its place cannot hold. The error
// has nothing of it.
func sendable(scheme *openapi.Scheme, value string) error {
	switch {
	case scheme.Type == "http" && scheme.HTTP == "basic" && strings.Contains(value, ":"):
		return nil // it is encoded
	case scheme.In == "query":
		return nil // so is this
	case scheme.Type == "apiKey" && scheme.In == "header" && value == strings.TrimSpace(value) && !bad(strings.ReplaceAll(value, " ", "")):
		return nil // it may begin with a scheme: Authorization: Token abc
	case bad(value):
		return errors.New("the credential has characters that are not allowed in a header: give it alone, without spaces or line breaks")
	case scheme.In == "cookie" && strings.ContainsAny(value, `",;\`):
		return errors.New(`the credential has a character that is not allowed in a cookie: ", comma, semicolon or backslash`)
	}
	return nil
}

// secrets says what no output may hold.
func (s *setup) secrets() {
	list := []redact.Secret{{Value: s.config.Token, Shown: "$CONFORMANCE_TOKEN"}}
	for _, name := range slices.Sorted(maps.Keys(s.config.Auth)) {
		list = append(list, secretsOf(message.Variable(name), s.config.Auth[name])...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.config.AuthOther)) {
		list = append(list, secretsOf(message.OtherVariable(name), s.config.AuthOther[name])...)
	}
	for _, h := range s.endpoint.Headers {
		if redact.Header(h.Name) || s.carries(h.Name) {
			list = append(list, redact.Field(h.Name, h.Value)...)
			h.Value = redact.Shown(h.Name)
		}
		s.endpoint.ShownHeaders = append(s.endpoint.ShownHeaders, h)
	}
	s.redactor = redact.New(list...)
	s.judge.Redactor = s.redactor
}

// secretsOf lists what must not be shown of a credential: all of it and, of user and
// password, the password.
func secretsOf(variable, value string) []redact.Secret {
	shown := "$" + variable
	out := []redact.Secret{{Value: value, Shown: shown}}
	if _, password, found := strings.Cut(value, ":"); found {
		out = append(out, redact.Secret{Value: password, Shown: shown})
	}
	return out
}

// maxGiven bounds what goes with every request: servers need take no larger head.
const maxGiven = 16 << 10

// roomFor refuses headers and credentials that leave no room in a head.
func (s *setup) roomFor() error {
	n := len(s.config.Token)
	for _, list := range []map[string]string{s.config.Auth, s.config.AuthOther} {
		for _, value := range list {
			n += len(value)
		}
	}
	for _, h := range s.endpoint.Headers {
		n += len(h.Name) + len(h.Value)
	}
	if n > maxGiven {
		return errors.New("headers and token are longer than 16 KiB together, more than servers have to accept: shorten them")
	}
	return nil
}

// ownKeys refuses a credential that is given twice, and warns of cases that a header of the
// user rules out: sent with every request, it would let wrong credentials pass.
func (s *setup) ownKeys() error {
	told := false
	for _, op := range s.contract.Operations {
		for _, alt := range op.Security {
			for _, scheme := range alt {
				if scheme.Header != "" && (s.config.Auth[scheme.Name] != "" || s.config.Renew[scheme.Name] != nil) {
					return fmt.Errorf("header %s has the credential of the security scheme %s, and --auth or --auth-command gives it too: use only one of them", scheme.Header, scheme.Name)
				}
			}
		}
		if op.Demands() && op.Header != "" && !told && s.config.Warn != nil {
			told = true
			s.config.Warn(fmt.Sprintf("header %s may hold a credential, and goes with every request: the cases about credentials are left out (give the credential with --auth NAME=VALUE to try them)", op.Header))
		}
	}
	return nil
}

// carries reports whether a header of the user has the credential of a security scheme.
func (s *setup) carries(header string) bool {
	return slices.ContainsFunc(s.contract.Schemes, func(x *openapi.Scheme) bool { return strings.EqualFold(x.Header, header) })
}

// credentials names the credentials that are given. A plan depends on them.
func (c Config) credentials() []string {
	out := append(slices.Sorted(maps.Keys(c.Auth)), slices.Sorted(maps.Keys(c.Renew))...)
	if c.Token != "" {
		out = append(out, "token\x00")
	}
	if len(c.Cert) > 0 {
		out = append(out, "certificate\x00")
	}
	if c.AuthAlways {
		out = append(out, "always\x00")
	}
	for _, h := range c.Headers {
		name, _, _ := strings.Cut(h, ":")
		if strings.EqualFold(name, "Cookie") {
			name = h // the names of cookies count
		}
		out = append(out, "header\x00"+name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.AuthOther)) {
		out = append(out, "other\x00"+name)
	}
	return out
}

// AuthVariable is the environment variable that may hold the credential of a security
// scheme, or that of another principal.
func AuthVariable(scheme string, other bool) string {
	if other {
		return message.OtherVariable(scheme)
	}
	return message.Variable(scheme)
}
