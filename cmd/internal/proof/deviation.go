package proof

import (
	"fmt"

	"plantstore/reference"
	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

// StartFault is StartReference with a fault of the catalogue. The error is that
// of listening, or that no fault has the name.
func StartFault(name string) (*Server, error) {
	f, found := faults.Find(name)
	if !found {
		return nil, fmt.Errorf("no fault %q", name)
	}
	return start(f.New(reference.Config{Tokens: []string{Token}}), "")
}

// StartVariant is StartReference with a variant of the catalogue. The error is
// that of listening, or that no variant has the name.
func StartVariant(name string) (*Server, error) {
	v, found := variants.Find(name)
	if !found {
		return nil, fmt.Errorf("no variant %q", name)
	}
	return start(v.New(reference.Config{Tokens: []string{Token}}), v.Path)
}
