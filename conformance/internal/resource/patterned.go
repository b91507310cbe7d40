package resource

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// leastPattern is the length of the shortest pattern that tells one kind of keys from others.
const leastPattern = 8

// patterned returns the operation and its path parameter that a member of a body may have the
// value of: both have the same pattern, and the operation is about other things. A member
// "to" with the pattern of the code in /locations/{code} names a location. A pattern says
// so much that the document may list 400 alone for what does not exist.
func (m *Map) patterned(op *openapi.Operation, member openapi.Member) (at *openapi.Operation, key openapi.Member) {
	pattern := member.Schema.Pattern
	if len(pattern) < leastPattern || !strings.HasPrefix(member.Path, "/") || member.Schema.Type() != "string" || !listsOne(op, unfound) && op.Lists(http.StatusBadRequest) == nil {
		return nil, key
	}
	for _, from := range m.ops {
		for _, p := range from.Parameters {
			if p.In != "path" || p.Schema == nil || p.Schema.Pattern != pattern {
				continue
			}
			if collection, _ := before(from.Path, p.Name); !strings.HasPrefix(trimmedPath(op.Path)+"/", trimmedPath(collection)+"/") {
				return from, openapi.Member{Property: &openapi.Property{Name: p.Name, Schema: p.Schema, Required: true}, Path: "path/" + jsontree.EscapePointer(p.Name)}
			}
		}
	}
	return nil, key
}
