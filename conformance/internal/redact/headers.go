package redact

import (
	"encoding/base64"
	"strings"
)

// Header reports whether the value of a field with that name looks like a secret.
func Header(name string) bool {
	n := strings.ToLower(name)
	for _, part := range []string{"auth", "cookie", "token", "secret", "apikey", "api-key", "api_key", "password", "passwd", "credential", "session", "signature", "jwt"} {
		if strings.Contains(n, part) {
			return true
		}
	}
	return strings.HasSuffix(n, "-key") || strings.HasSuffix(n, "_key") || n == "key"
}

// Field gives the secrets of a field that the user gave: its value, without a
// scheme before it, or the values of its cookies. The password of a Basic credential is one
// too.
func Field(name, value string) []Secret {
	shown := Shown(name)
	if strings.Contains(strings.ToLower(name), "cookie") {
		var out []Secret
		for _, c := range strings.Split(value, ";") {
			name, v, found := strings.Cut(c, "=")
			if !found {
				v = name
			}
			out = append(out, Secret{strings.Trim(v, ` "`), shown})
		}
		return out
	}
	if scheme, rest, found := strings.Cut(value, " "); found && !strings.ContainsAny(scheme, "=;,") {
		value = strings.TrimSpace(rest)
		if plain, err := base64.StdEncoding.DecodeString(value); err == nil && strings.EqualFold(scheme, "Basic") {
			_, password, _ := strings.Cut(string(plain), ":")
			return []Secret{{value, shown}, {string(plain), shown}, {password, shown}}
		}
	}
	return []Secret{{value, shown}}
}

// Shown is what stands for the value of a secret field: a variable of the shell.
func Shown(name string) string {
	var b strings.Builder
	b.WriteString("$CONFORMANCE_HEADER_")
	for _, c := range strings.ToUpper(name) {
		if c < 'A' || c > 'Z' {
			if c < '0' || c > '9' {
				c = '_'
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}
