// Package spec holds the plant store's contract as data: the OpenAPI document
// and the requirements file that overlays what is derived from it.
package spec

import _ "embed"

// OpenAPI is the interface description, OpenAPI 3.1.0 in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

// Requirements overlays the requirements derived from OpenAPI: sentences,
// levels, clauses, plain domains, and what no document can say.
//
//go:embed requirements.yaml
var Requirements []byte
