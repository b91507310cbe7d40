package contract

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Limits of what is walked: a body with schemas that refer to each other continues
// without end, and a document may have hundreds of bodies. What is cut is named in
// LeftOut.
const (
	mostSchemas  = 400  // of one body
	leastSchemas = 5    // of one body, however many bodies there are
	allSchemas   = 3000 // of all bodies together
)

// Limits of what is tried; the rest is named in LeftOut too.
const (
	mostOperations = 300
	mostListed     = 100  // values of an enum
	mostDigits     = 1000 // characters of a number in a schema
)

// share returns how many schemas one body is walked into if so many operations are
// tested, each with a request and an answer.
func share(operations int) int {
	return min(max(allSchemas/(2*max(operations, 1)), leastSchemas), mostSchemas)
}

// candidates returns the operations that the method does not rule out, as method
// and path.
func (l *loader) candidates() []string {
	var out []string
	l.each(func(path, method, _, _ string) {
		if unsupported(method) == "" {
			out = append(out, method+" "+path)
		}
	})
	return out
}

// each calls f for every operation of the document.
func (l *loader) each(f func(path, method, item, pointer string)) {
	paths := l.root.Get("paths")
	if paths == nil {
		return
	}
	for _, p := range paths.Members {
		if strings.HasPrefix(p.Name, "x-") {
			continue // an extension (OpenAPI 3.1, 4.8.8)
		}
		pointer, item := "/paths/"+jsontree.EscapePointer(p.Name), p.Value
		if item.Get("$ref") != nil {
			pointer, item = l.resolve(pointer)
		}
		names, at := l.methodsOf(item)
		for i, method := range names {
			f(p.Name, method, pointer, pointer+at[i])
		}
	}
}

// crowd chooses an even selection of operations if there are too many, and names
// the others.
func (l *loader) crowd(all []string) {
	if len(all) <= mostOperations {
		return
	}
	l.crowded = map[string]bool{}
	for i, name := range all {
		if i*mostOperations/len(all) == (i-1)*mostOperations/len(all) && i > 0 {
			l.crowded[name] = true
		}
	}
}
