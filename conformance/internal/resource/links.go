package resource

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
)

// wayOf returns the way to the value of an origin.
func wayOf(kind Kind, op *openapi.Operation, o openapi.Origin) Way {
	w := Way{Kind: kind, From: o.From}
	request, isRequest := strings.CutPrefix(o.What, "request")
	switch {
	case strings.HasPrefix(o.What, "/"):
		w.Pointer = o.What
	case isRequest && strings.HasPrefix(request, "/"):
		w.Request = request
	case isRequest && strings.HasPrefix(request, "."):
		w.Request = request[1:]
	default:
		w.Header = o.What
		if name, found := strings.CutPrefix(o.Place, "path/"); found && strings.EqualFold(o.What, "Location") {
			_, w.Template = before(op.Path, name)
		}
	}
	return w
}

// linked returns the ways that the links of the document give to a place.
func (m *Map) linked(op *openapi.Operation, path string) []Way {
	var out []Way
	for _, o := range op.First().Origins {
		if o.Place == path && o.Link != "" && slices.Contains(m.ops, o.From) {
			out = append(out, wayOf(Link, op, o))
		}
	}
	return out
}
