package contract

import "regexp"

// What descriptions say of the half of a Basic credential that a server ignores, where an API key
// is the other half.
var (
	anyUser     = regexp.MustCompile(`(?i)\b(any|arbitrary|every)\b[^.;]{0,20}\buser ?names?\b|\buser ?names?\b[^.;]{0,30}\b(any|anything|arbitrary|ignored|not (used|checked|looked))\b`)
	anyPassword = regexp.MustCompile(`(?i)\b(any|arbitrary|empty|blank)\b[^.;]{0,20}\bpasswords?\b|\bpasswords?\b[^.;]{0,30}\b(any|anything|arbitrary|ignored|empty|blank|not (used|checked|needed|required))\b|\bnot need[^.;]{0,20}\bpassword\b`)
)

// halves notes which half of a Basic credential the server ignores, as the document says.
func (l *loader) halves(s *Scheme, description string) {
	if s.Type != "http" || s.HTTP != "basic" {
		return
	}
	for _, said := range []string{description, text(l.root, "/info/description")} {
		s.AnyUser = s.AnyUser || anyUser.MatchString(said)
		s.AnyPassword = s.AnyPassword || anyPassword.MatchString(said)
	}
}
