package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// Find returns the operation with that name: an operationId, a slug, or a method and
// a path as in "GET /users/{id}". It is nil if there is none.
func (c *Contract) Find(name string) *Operation {
	for _, is := range []func(*Operation) bool{
		func(op *Operation) bool { return op.ID == name && name != "" },
		func(op *Operation) bool { return op.Slug == name },
		func(op *Operation) bool {
			method, path, found := strings.Cut(name, " ")
			return found && strings.EqualFold(method, op.Method) && strings.TrimSpace(path) == op.Path
		},
	} {
		for _, op := range c.Operations {
			if is(op) {
				return op
			}
		}
	}
	return nil
}

// Names returns the names by which Find knows the operations.
func (c *Contract) Names() []string {
	var out []string
	for _, op := range c.Operations {
		if op.ID != "" {
			out = append(out, op.ID)
		}
		out = append(out, op.Slug, op.Method+" "+op.Path)
	}
	return out
}

// Name is the name of an operation for people: its operationId, or its slug. Behind that
// of a further one is what is different in it.
func (o *Operation) Name() string {
	if o.IsAdditional() {
		return o.first.Name() + " (" + o.Differs() + ")"
	}
	if o.ID != "" {
		return o.ID
	}
	return o.Slug
}

// Slug returns a name of the document in the form of requirement ids: lower-case
// letters, digits and single hyphens. It is empty if the name has no ASCII letters
// or digits.
func Slug(s string) string {
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

// NameSlug is Slug for a member name: never empty.
func NameSlug(name string) string {
	switch s := Slug(name); {
	case s != "":
		return s
	case name == "":
		return "empty"
	}
	return "member"
}

// longestSlug bounds what one name adds to an id.
const longestSlug = 96

// Short shortens the slug of a long name. A digest of the name distinguishes it
// from others with the same beginning.
func Short(slug, name string) string {
	if len(slug) <= longestSlug {
		return slug
	}
	sum := sha256.Sum256([]byte(name))
	return strings.TrimRight(slug[:longestSlug-9], "-") + "-" + hex.EncodeToString(sum[:4])
}

// Slugs makes slugs unique: if several names of the document have the same slug,
// the second gets -2, the third -3.
type Slugs struct {
	taken map[string]bool
	last  map[string]int
}

// NewSlugs returns a Slugs that never returns the reserved slugs.
func NewSlugs(reserved ...string) *Slugs {
	s := &Slugs{taken: map[string]bool{}, last: map[string]int{}}
	for _, r := range reserved {
		s.taken[r] = true
	}
	return s
}

// Taken reports whether a slug is in use.
func (s *Slugs) Taken(slug string) bool { return s.taken[slug] }

// Take returns the slug, or the next free one.
func (s *Slugs) Take(slug string) string {
	out := slug
	for n := max(2, s.last[slug]); s.taken[out]; n++ {
		out = slug + "-" + strconv.Itoa(n)
		s.last[slug] = n
	}
	s.taken[out] = true
	return out
}

// UnknownKeywords calls f for each member of a schema of the document that is no keyword, with its
// pointer.
func (c *Contract) UnknownKeywords(f func(pointer, name string)) { schemasIn(c.root, "", f) }

func schemasIn(v *jsontree.Value, at string, f func(pointer, name string)) {
	for _, m := range v.Members {
		here := at + "/" + jsontree.EscapePointer(m.Name)
		switch {
		case m.Name == "schema" || at == "/components/schemas":
			schema.Unknown(m.Value, func(below, name string) { f(here+below, name) })
		case m.Name != "example" && m.Name != "examples" && !strings.HasPrefix(m.Name, "x-"):
			schemasIn(m.Value, here, f)
		}
	}
	for i, item := range v.Items {
		schemasIn(item, at+"/"+strconv.Itoa(i), f)
	}
}
