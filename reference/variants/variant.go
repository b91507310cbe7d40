// Package variants is the catalogue of right servers that are unlike the
// reference server: each keeps every MUST of the contract, or does as it likes
// where the contract is silent.
package variants

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// Variant is one unusual but conforming behaviour.
type Variant struct {
	// Name is a slug, unique in the catalogue.
	Name string
	// Doc is one sentence: what the server does, and who really does it.
	Doc string
	// Warns are the ids of the SHOULDs that it does not meet.
	Warns []string
	// Values are values that it takes where it has a list of its own, as the suite
	// must be told of them: POINTER=VALUE.
	Values []string
	// Path is where below its address the service stands, such as "/api".
	Path string

	alter alter.Change
}

// New makes a server that behaves so. No two servers share any state.
func (v Variant) New(cfg reference.Config) *reference.Server {
	before := cfg.Alter
	cfg.Alter = func(s *reference.Stages) {
		if before != nil {
			before(s)
		}
		v.Alter(s)
	}
	return reference.New(cfg)
}

// Alter makes the deviation in a server that is being made, so that it can be
// combined with others through [reference.Config].
func (v Variant) Alter(s *reference.Stages) {
	alter.HTTP1(s)
	v.alter(s)
}

// List gives every variant, family by family.
func List() []Variant {
	return slices.Concat(
		responses(), sending(),
		credentials(), requests(),
		stores(), readers(), pace(), limits(), decided(),
		heads(), framings(), sizes(), marks(),
	)
}

// Find gives the variant of a name.
func Find(name string) (Variant, bool) {
	list := List()
	if i := slices.IndexFunc(list, func(v Variant) bool { return v.Name == name }); i >= 0 {
		return list[i], true
	}
	return Variant{}, false
}

var slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// maxName keeps the column of names narrow.
const maxName = 40

// Validate checks that every entry is complete and none stands twice.
func Validate(list []Variant) error {
	var errs []error
	names, docs := map[string]bool{}, map[string]bool{}
	for _, v := range list {
		switch {
		case !slug.MatchString(v.Name) || len(v.Name) > maxName:
			errs = append(errs, fmt.Errorf("variant %q: the name must be a slug of at most %d characters", v.Name, maxName))
		case names[v.Name]:
			errs = append(errs, fmt.Errorf("variant %q stands twice", v.Name))
		case v.Doc == "" || docs[v.Doc] || strings.ContainsAny(v.Doc, "\n\t"):
			errs = append(errs, fmt.Errorf("variant %q needs one line of its own that says what it does", v.Name))
		case v.Path != "" && (v.Path[0] != '/' || strings.HasSuffix(v.Path, "/")):
			errs = append(errs, fmt.Errorf("variant %q: the path must start with a slash and not end in one", v.Name))
		case v.alter == nil:
			errs = append(errs, fmt.Errorf("variant %q changes nothing", v.Name))
		}
		names[v.Name], docs[v.Doc] = true, true
	}
	return errors.Join(errs...)
}
