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

// cross gives a config that behaves as a variant too, for another deviation to
// build on. The error is that no variant has the name, or that its service
// stands elsewhere, which the other may do as well.
func cross(cfg reference.Config, name string) (reference.Config, variants.Variant, error) {
	if name == "" {
		return cfg, variants.Variant{}, nil
	}
	v, found := variants.Find(name)
	switch {
	case !found:
		return cfg, v, fmt.Errorf("no variant %q", name)
	case v.Path != "":
		return cfg, v, fmt.Errorf("variant %q stands below a path and cannot be crossed with others", name)
	}
	cfg.Alter = v.Alter
	return cfg, v, nil
}
