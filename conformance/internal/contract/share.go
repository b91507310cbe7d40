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
	leastInputs  = 100  // of the parameters of one operation
	allSchemas   = 3000 // of all bodies together
)

// share returns how many schemas one body is walked into if so many operations are
// tested, each with a request and an answer.
func share(operations int) int {
	return min(max(allSchemas/(2*max(operations, 1)), leastSchemas), mostSchemas)
}

// Limits of what is tried; the rest is named in LeftOut too.
const (
	mostListed = 100  // values of an enum
	mostDigits = 1000 // characters of a number in a schema
)

// walked is a schema that was walked for one body and is used for all that refer to it.
type walked struct {
	direction Direction
	pointer   string
}

// flat is the result of flatten.
type flat struct {
	schema *Schema
	size   int
	left   []string
	sites  []site
}

// walk returns the schema at pointer, whose references lead to meant. Bodies that are
// nothing but a reference to one component share what is below it.
func (l *loader) walk(d Direction, pointer, meant string) flat {
	key := walked{d, meant}
	one, known := l.walked[key]
	if !known {
		most := l.most
		if strings.HasPrefix(pointer, "/"+inputs+"/") {
			most = max(most, leastInputs)
		}
		one = flatten(l.js.roots[d], pointer, most, l.c.Clause, nil)
		l.walked[key] = one
	}
	own := *one.schema
	own.Pointer = pointer
	one.schema = &own
	return one
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
