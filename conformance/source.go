package conformance

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/fetch"
)

// source says where the document is and what it may refer to.
func source(c Config) (openapi.Source, error) {
	out := openapi.Source{Folder: c.Files}
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
