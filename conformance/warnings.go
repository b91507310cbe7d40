package conformance

import (
	"fmt"
	"strings"

	"plantstore/conformance/internal/redact"
)

// Warnings says what is doubtful about a configuration, one line each, and
// repeats no value: a secret of fewer than 8 characters stands in innocent words
// too, and its parts and encodings cannot be told from them.
func Warnings(c Config) []string {
	var out []string
	if n := len(c.Token); n > 0 && n < redact.Safely {
		out = append(out, fmt.Sprintf("the token has fewer than %d characters, so it cannot be redacted safely: use a longer one if others read the report", redact.Safely))
	}
	for _, h := range c.Headers {
		name, value, _ := strings.Cut(h, ":")
		for _, s := range redact.Field(strings.TrimSpace(name), strings.TrimSpace(value)) {
			if len(s.Value) < redact.Safely {
				out = append(out, fmt.Sprintf("header %s looks like a secret and has fewer than %d characters, so it cannot be redacted safely", strings.TrimSpace(name), redact.Safely))
				break
			}
		}
	}
	return out
}
