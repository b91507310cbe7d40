package reach

import (
	"strings"

	"plantstore/conformance/internal/contract"
)

// links returns the ways that the links of the document give, by the slug of the
// operation and the path of the member (OpenAPI 3.1, 4.8.20).
func (m *Map) links(c *contract.Contract) map[string][]Way {
	out := map[string][]Way{}
	for _, from := range c.Operations {
		for _, link := range c.Links(from) {
			for _, to := range c.Operations {
				if link.OperationID != "" && to.ID != link.OperationID || link.OperationID == "" && to.Pointer != link.Pointer {
					continue
				}
				for _, p := range link.Parameters {
					path := place(to, p.Name)
					if w, ok := expression(from, p.Expression); ok && path != "" {
						out[to.Slug+" "+path] = append(out[to.Slug+" "+path], w)
					}
				}
			}
		}
	}
	return out
}

// place returns the path of a parameter that a link names, with its section or
// without.
func place(op *contract.Operation, name string) string {
	in, rest, found := strings.Cut(name, ".")
	for _, member := range op.Members() {
		section, _, _ := strings.Cut(member.Path, "/")
		if section != "" && (member.Name == name || found && section == in && member.Name == rest) {
			return member.Path
		}
	}
	return ""
}

// expression reads a runtime expression (OpenAPI 3.1, 4.8.20.4).
func expression(from *contract.Operation, text string) (Way, bool) {
	w := Way{Kind: Link, From: from}
	switch {
	case strings.HasPrefix(text, "$response.body#"):
		w.Pointer = strings.TrimPrefix(text, "$response.body#")
		return w, true
	case strings.HasPrefix(text, "$response.header."):
		w.Header = strings.TrimPrefix(text, "$response.header.")
		return w, true
	case strings.HasPrefix(text, "$request.body#"):
		w.Request = strings.TrimPrefix(text, "$request.body#")
		return w, true
	case strings.HasPrefix(text, "$request."):
		w.Request = strings.Replace(strings.TrimPrefix(text, "$request."), ".", "/", 1)
		return w, true
	}
	return w, false
}
