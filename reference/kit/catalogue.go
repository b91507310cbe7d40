package kit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// First gives the first entry of a catalogue that is wanted.
func First[T any](list []T, wanted func(T) bool) (entry T, found bool) {
	if i := slices.IndexFunc(list, wanted); i >= 0 {
		return list[i], true
	}
	return entry, false
}

// Slug is the form of the name of a fault, a variant or a requirement.
var Slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// maxName keeps the column of names narrow.
const maxName = 40

// Validate checks that every entry of a catalogue is complete and none stands twice. What else is
// wrong with an entry is its flaw.
func Validate[T any](kind string, list []T, about func(T) (name, doc, flaw string)) error {
	var errs []error
	names, docs := map[string]bool{}, map[string]bool{}
	for _, entry := range list {
		name, doc, flaw := about(entry)
		switch {
		case !Slug.MatchString(name) || len(name) > maxName:
			errs = append(errs, fmt.Errorf("%s %q: the name must be a slug of at most %d characters", kind, name, maxName))
		case names[name]:
			errs = append(errs, fmt.Errorf("%s %q stands twice", kind, name))
		case doc == "" || docs[doc] || strings.ContainsAny(doc, "\n\t"):
			errs = append(errs, fmt.Errorf("%s %q needs one line of its own that says what it does", kind, name))
		case flaw != "":
			errs = append(errs, fmt.Errorf("%s %q%s", kind, name, flaw))
		}
		names[name], docs[doc] = true, true
	}
	return errors.Join(errs...)
}
