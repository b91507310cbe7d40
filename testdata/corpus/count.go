package main

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"
)

// counted is what a document says about itself.
type counted struct {
	OpenAPI string                    `json:"openapi" yaml:"openapi"`
	Swagger string                    `json:"swagger" yaml:"swagger"`
	Paths   map[string]map[string]any `json:"paths" yaml:"paths"`
}

// methods lists the members of a path item that are operations. It lacks
// additionalOperations of OpenAPI 3.2.
func methods() []string {
	return []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}
}

// count returns the version of a document and the number of its operations. It
// uses no code of the suite, so that an operation that the suite does not see is
// counted all the same.
func count(b []byte) (version string, operations int, err error) {
	var d counted
	if t := bytes.TrimSpace(b); len(t) > 0 && t[0] == '{' {
		err = json.Unmarshal(b, &d, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	} else {
		err = yaml.UnmarshalWithOptions(b, &d, yaml.AllowDuplicateMapKey())
	}
	if err != nil {
		return "", 0, err
	}
	for _, item := range d.Paths {
		for name := range item {
			if slices.Contains(methods(), name) {
				operations++
			}
		}
	}
	if d.OpenAPI == "" && d.Swagger == "" {
		return "", 0, errors.New("not an OpenAPI document: want openapi or swagger")
	}
	return d.OpenAPI + d.Swagger, operations, nil
}
