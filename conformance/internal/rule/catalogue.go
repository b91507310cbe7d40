package rule

import (
	"fmt"
	"regexp"
	"strings"
)

// File is the base name of the file with the rule: its name without the hyphens.
func (r *Rule) File() string { return strings.ReplaceAll(r.Name, "-", "") + ".go" }

// Validate returns an error for a bad catalogue of rules: an entry without a part,
// a name that is not a slug, a text that is not sentences on one line, or a name
// listed twice.
func Validate(rules []Rule) error {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case !name.MatchString(r.Name):
			return fmt.Errorf("rule %q: the name is not lower-case words joined by dashes", r.Name)
		case !sentences(r.Doc):
			return fmt.Errorf("rule %s: Doc is not sentences on one line", r.Name)
		case !sentences(r.Explanation):
			return fmt.Errorf("rule %s: Explanation is not sentences on one line", r.Name)
		case r.Check == nil:
			return fmt.Errorf("rule %s checks nothing", r.Name)
		case r.Rank < Observed && !sentences(r.Fix):
			return fmt.Errorf("rule %s: Fix is not sentences on one line", r.Name)
		case seen[r.Name]:
			return fmt.Errorf("rule %s is listed twice", r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}

// sentences reports whether a text is one line that ends like a sentence.
func sentences(text string) bool {
	return strings.HasSuffix(text, ".") && !strings.ContainsAny(text, "\r\n")
}
