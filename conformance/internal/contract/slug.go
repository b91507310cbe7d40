package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// slug writes a name with lower-case letters, digits and single hyphens.
func slug(s string) string {
	var b strings.Builder
	hyphen := false
	for _, c := range strings.ToLower(s) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			if hyphen {
				b.WriteByte('-')
			}
			hyphen = false
			b.WriteRune(c)
			continue
		}
		hyphen = b.Len() > 0
	}
	return Short(b.String(), s)
}

// Slug is how requirement ids spell a name of the document; empty where the
// name has neither letters of ASCII nor digits.
func Slug(s string) string { return slug(s) }

// NameSlug is Slug for a member name: never empty.
func NameSlug(name string) string {
	switch s := slug(name); {
	case s != "":
		return s
	case name == "":
		return "empty"
	}
	return "member"
}

// longestSlug bounds what one name adds to an id.
const longestSlug = 96

// Short cuts what an id makes of a long name; a digest of the name keeps it
// apart from others that begin alike.
func Short(slug, name string) string {
	if len(slug) <= longestSlug {
		return slug
	}
	sum := sha256.Sum256([]byte(name))
	return strings.TrimRight(slug[:longestSlug-9], "-") + "-" + hex.EncodeToString(sum[:4])
}

// Slugs hands out slugs, each once: where names of the document come to the same
// slug, the second is told apart by -2, the third by -3.
type Slugs struct {
	taken map[string]bool
	last  map[string]int
}

// NewSlugs makes one that hands out none of the reserved.
func NewSlugs(reserved ...string) *Slugs {
	s := &Slugs{taken: map[string]bool{}, last: map[string]int{}}
	for _, r := range reserved {
		s.taken[r] = true
	}
	return s
}

// Taken reports whether a slug was handed out.
func (s *Slugs) Taken(slug string) bool { return s.taken[slug] }

// Take hands out the slug, or the next that is free.
func (s *Slugs) Take(slug string) string {
	out := slug
	for n := max(2, s.last[slug]); s.taken[out]; n++ {
		out = slug + "-" + strconv.Itoa(n)
		s.last[slug] = n
	}
	s.taken[out] = true
	return out
}
