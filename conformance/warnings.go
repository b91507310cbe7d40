package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plantstore/conformance/internal/redact"
)

// Warnings returns warnings about a configuration, one line each. They contain no
// values. A secret with fewer than 8 characters cannot be redacted safely, because
// other text contains it by chance.
func Warnings(c Config) []string {
	var out []string
	if n := len(c.Token); n > 0 && n < redact.Safely {
		out = append(out, fmt.Sprintf("the token has fewer than %d characters, so it cannot be redacted safely: use a longer one if others read the report", redact.Safely))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Auth)) {
		if len(c.Auth[name]) < redact.Safely {
			out = append(out, fmt.Sprintf("the credential of %s has fewer than %d characters, so it cannot be redacted safely", name, redact.Safely))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.AuthOther)) {
		if len(c.AuthOther[name]) < redact.Safely {
			out = append(out, fmt.Sprintf("the other credential of %s has fewer than %d characters, so it cannot be redacted safely", name, redact.Safely))
		}
	}
	for _, h := range c.Headers {
		name, value, _ := strings.Cut(h, ":")
		if !SecretHeader(name) {
			continue
		}
		for _, s := range redact.Field(strings.TrimSpace(name), strings.TrimSpace(value)) {
			if len(s.Value) < redact.Safely {
				out = append(out, fmt.Sprintf("header %s looks like a secret and has fewer than %d characters, so it cannot be redacted safely", strings.TrimSpace(name), redact.Safely))
				break
			}
		}
	}
	return out
}

// SecretHeader reports whether the value of a header with that name is taken for a
// secret, and redacted.
func SecretHeader(name string) bool { return redact.Header(strings.TrimSpace(name)) }
