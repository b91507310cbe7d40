package openapi

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"plantstore/conformance/internal/jsontree"
)

// malformed is a schema that its metaschema refuses, and where.
type malformed struct{ pointer, what string }

// Error returns the reason without the place.
func (e *malformed) Error() string { return e.what }

// schemaError describes why a schema does not compile, with the place inside it if
// it is known.
func schemaError(err error, u *units) error {
	var invalid *jsonschema.SchemaValidationError
	var cause *jsonschema.ValidationError
	if !errors.As(err, &invalid) || !errors.As(invalid.Err, &cause) {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return errors.New(u.plainly(line))
	}
	for len(cause.Causes) > 0 {
		// The cause deepest inside the schema is the most exact.
		deepest := cause.Causes[0]
		for _, c := range cause.Causes {
			if depth(c) > depth(deepest) {
				deepest = c
			}
		}
		cause = deepest
	}
	pointer := u.pointer(invalid.URL)
	for _, token := range cause.InstanceLocation {
		pointer += "/" + jsontree.EscapePointer(token)
	}
	what := cause.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	return &malformed{pointer, strings.Join(strings.Fields(what), " ")}
}

// depth is how far into the schema an error and its causes lead.
func depth(e *jsonschema.ValidationError) int {
	d := len(e.InstanceLocation)
	for _, c := range e.Causes {
		d = max(d, depth(c))
	}
	return d
}
