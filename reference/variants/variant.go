// Package variants is the catalogue of right servers that are unlike the
// reference server: each keeps every MUST of the contract, or does as it likes
// where the contract is silent.
package variants

import (
	"slices"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
	"plantstore/reference/kit"
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
func (v Variant) New(cfg reference.Config) *reference.Server { return alter.Server(cfg, v.Alter) }

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
	return kit.First(List(), func(v Variant) bool { return v.Name == name })
}

// Validate checks that every entry is complete and none stands twice.
func Validate(list []Variant) error {
	return kit.Validate("variant", list, func(v Variant) (name, doc, flaw string) {
		switch {
		case v.Path != "" && (v.Path[0] != '/' || strings.HasSuffix(v.Path, "/")):
			flaw = ": the path must start with a slash and not end in one"
		case v.alter == nil:
			flaw = " changes nothing"
		}
		return v.Name, v.Doc, flaw
	})
}
