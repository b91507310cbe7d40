package conformance

import (
	"plantstore/conformance/internal/contract"
	"plantstore/internal/fetch"
)

// source says where the document is and what it may refer to.
func source(c Config) (contract.Source, error) {
	out := contract.Source{Folder: c.Files}
	if c.Location != "" {
		at, err := fetch.At(c.Location)
		if err != nil {
			return out, err
		}
		out.At = at
	}
	allowed, err := fetch.Allow(c.AllowRef, out.At)
	out.Outside = allowed
	return out, err
}
