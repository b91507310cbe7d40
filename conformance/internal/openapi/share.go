package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Limits of what is walked. A body is walked as a whole, unless its schemas lead to each
// other without end. What is cut is named in LeftOut.
const (
	mostSchemas  = 400    // of one body that does not end, or has more than wholeSchemas
	wholeSchemas = 4000   // of one body that ends
	leastSchemas = 5      // of one body, if there is no room for more
	leastInputs  = 100    // of the parameters of one operation
	allSchemas   = 80_000 // that are kept, of all bodies together
)

// share decides how many schemas each body may be walked into. Where all do not fit, only
// what is tested counts, and bodies that need less leave the rest to the others. Requests
// come first: an answer is judged as a whole wherever its walk ends.
func (l *loader) share() {
	l.most = [2]int{wholeSchemas, wholeSchemas}
	operations := 0
	l.each(func(_, _, _, _ string) { operations++ })
	if operations*2*mostSchemas <= allSchemas {
		return
	}
	every := l.sizes(func(string, string, string) bool { return true })
	if level(slices.Concat(every[Requests], every[Answers]), allSchemas) == wholeSchemas {
		return
	}
	sizes := l.sizes(l.tested)
	l.scarce = true
	l.most[Answers] = level(sizes[Answers], allSchemas/4)
	l.most[Requests] = level(sizes[Requests], allSchemas-l.most[Answers]*len(sizes[Answers]))
}

// tested reports whether an operation is tested, as far as the loader is told.
func (l *loader) tested(path, method, pointer string) bool {
	return l.c.others.Tested == nil || l.c.others.Tested(l.newOperation(path, method, pointer))
}

// sizes walks each body of some operations, and those of one component once, to count
// their schemas.
func (l *loader) sizes(of func(path, method, pointer string) bool) [2][]int {
	var out [2][]int
	counted := map[walked]bool{}
	count := func(d Direction, content string) {
		list := l.root.At(content)
		if list == nil {
			return
		}
		for _, m := range list.Members {
			pointer, _ := l.resolve(content + "/" + jsontree.EscapePointer(m.Name))
			key := walked{direction: d, pointer: l.plainly(pointer + "/schema")}
			if l.root.At(key.pointer) == nil || counted[key] {
				continue
			}
			counted[key] = true
			one := flatten(l.js.roots[d], key.pointer, wholeSchemas, l.c.Clause, nil)
			copies := 1
			for _, s := range one.sites {
				copies += len(s.names) - 1
			}
			if d == Requests { // each alternative is a copy of it
				one.size *= min(copies, mostAlternatives+1)
			}
			out[d] = append(out[d], one.size)
		}
	}
	l.each(func(path, method, _, operation string) {
		if !of(path, method, operation) {
			return
		}
		body, _ := l.resolve(operation + "/requestBody")
		count(Requests, body+"/content")
		if responses := l.root.At(operation + "/responses"); responses != nil {
			for _, m := range responses.Members {
				pointer, _ := l.resolve(operation + "/responses/" + jsontree.EscapePointer(m.Name))
				count(Answers, pointer+"/content")
			}
		}
	})
	return out
}

// level returns how much each part may take of so much in all, if the smaller ones leave
// what they do not need to the others.
func level(parts []int, all int) int {
	slices.Sort(parts)
	for i, n := range parts {
		rest := len(parts) - i
		if n*rest > all {
			return max(all/rest, leastSchemas)
		}
		all -= n
	}
	return wholeSchemas
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
	aside     bool // what is not tested has only what a value needs
}

// flat is the result of flatten.
type flat struct {
	schema *Schema
	size   int
	left   []string
	sites  []site
	// cut is the place where the walk ended although the document continues, and why; empty
	// if it did not.
	cut, why string
}

// walk returns the schema at pointer, whose references lead to meant. Bodies that are
// nothing but a reference to one component share what is below it.
func (l *loader) walk(d Direction, pointer, meant string) flat {
	key := walked{d, meant, l.scarce && l.aside}
	one, known := l.walked[key]
	if !known {
		most := l.most[d]
		if key.aside {
			most = leastSchemas
		}
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

// cut names a schema that is tried only in part, once, however many bodies lead there. An
// answer is judged as a whole.
func (l *loader) cut(d Direction, one flat) {
	if one.cut == "" || d == Answers || l.scarce && l.aside {
		return
	}
	at := one.cut
	if l.cuts == nil {
		l.cuts = map[string]bool{}
	}
	if !l.cuts[at] {
		l.cuts[at] = true
		l.c.Cut++
		l.leaveOut("%s: the schema goes deeper than it is tried: %s (%s)", l.c.Clause(at), one.why, l.c.Where(at))
	}
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
