package settings

import (
	"regexp"
	"strings"
)

// reference matches ${NAME}, and $${, which stands for ${ itself.
var reference = regexp.MustCompile(`\$\$\{|\$\{([^}]*)\}?`)

// expand replaces ${NAME} with the value of that environment variable, and $${ with ${.
// The error is a *Mistake.
func expand(t text, file string, getenv func(string) string) (string, error) {
	var err error
	out := reference.ReplaceAllStringFunc(t.value, func(m string) string {
		if m == "$${" {
			return "${"
		}
		name := strings.TrimSuffix(strings.TrimPrefix(m, "${"), "}")
		if v := getenv(name); v != "" && variable.MatchString(name) && strings.HasSuffix(m, "}") {
			return v
		}
		switch {
		case err != nil:
		case !strings.HasSuffix(m, "}") || !variable.MatchString(name):
			err = mistakef("write ${NAME}, or $${ for the characters themselves", "%s: %q is not the name of an environment variable", place(file, t.line), name)
		default:
			err = mistakef("set it, or remove the line", "%s: the environment variable %s is not set or empty", place(file, t.line), name)
		}
		return m
	})
	return out, err
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// refers reports whether a text has a reference to a variable.
func refers(s string) bool {
	for _, m := range reference.FindAllString(s, -1) {
		if m != "$${" {
			return true
		}
	}
	return false
}
