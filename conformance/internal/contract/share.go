package contract

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// What is walked of a document: a body with schemas that refer to each other
// goes on without end, and a document may have hundreds of bodies. What is cut
// is named in LeftOut.
const (
	mostSchemas  = 400  // of one body
	leastSchemas = 5    // of one body, however many bodies there are
	allSchemas   = 3000 // of all bodies together
)

// share is how many schemas one body is walked into where so many operations
// are tested, each with a request and an answer.
func share(operations int) int {
	return min(max(allSchemas/(2*max(operations, 1)), leastSchemas), mostSchemas)
}

// candidates counts the operations that path and method do not rule out.
func (l *loader) candidates() int {
	n := 0
	if paths := l.root.Get("paths"); paths != nil {
		for _, p := range paths.Members {
			_, item := l.resolve("/paths/" + jsontree.EscapePointer(p.Name))
			for _, method := range methods {
				if item.Get(method) != nil && unsupported(p.Name, method) == "" && !strings.HasPrefix(p.Name, "x-") {
					n++
				}
			}
		}
	}
	return n
}
