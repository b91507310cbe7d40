package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// Limits of what is walked. A body is walked as a whole, unless its schemas lead to each
// other without end. What is cut is named in LeftOut.
const (
	wholeSchemas = 4000   // of one body that ends
	minSchemas   = 5      // of one body, if there is no room for more
	minInputs    = 100    // of the parameters of one operation
	allSchemas   = 80_000 // that are kept, of all bodies together
)

// share decides how many schemas each body may be walked into. Where all do not fit, only
// what is tested counts, and bodies that need less leave the rest to the others. Requests
// come first: an answer is judged as a whole wherever its walk ends.
func (l *loader) share() {
	l.maximum = [2]int{wholeSchemas, wholeSchemas}
	operations := 0
	l.each(func(_, _, _, _ string) { operations++ })
	if operations*2*schema.MaxSchemas <= allSchemas {
		return
	}
	every := l.sizes(func(string, string, string) bool { return true })
	if level(slices.Concat(every[schema.Requests], every[schema.Answers]), allSchemas) == wholeSchemas {
		return
	}
	sizes := l.sizes(l.tested)
	l.scarce = true
	l.maximum[schema.Answers] = level(sizes[schema.Answers], allSchemas/4)
	l.maximum[schema.Requests] = level(sizes[schema.Requests], allSchemas-l.maximum[schema.Answers]*len(sizes[schema.Answers]))
}

// tested reports whether an operation is tested, as far as the loader is told.
func (l *loader) tested(path, method, pointer string) bool {
	return l.c.others.Tested == nil || l.c.others.Tested(l.newOperation(path, method, pointer))
}

// sizes walks each body of some operations, and those of one component once, to count
// their schemas.
func (l *loader) sizes(of func(path, method, pointer string) bool) [2][]int {
	var out [2][]int
	counted := [2]map[string]bool{{}, {}}
	count := func(d schema.Direction, content string) {
		list := l.root.At(content)
		if list == nil {
			return
		}
		for _, m := range list.Members {
			pointer, _ := l.resolve(content + "/" + jsontree.EscapePointer(m.Name))
			at := l.schemas.Plain(pointer + "/schema")
			if l.root.At(at) == nil || counted[d][at] {
				continue
			}
			counted[d][at] = true
			size, further := l.schemas.Size(d, at, wholeSchemas)
			if d == schema.Requests { // each alternative is a copy of it
				size *= 1 + min(further, maxAlternatives)
			}
			out[d] = append(out[d], size)
		}
	}
	l.each(func(path, method, _, operation string) {
		if !of(path, method, operation) {
			return
		}
		body, _ := l.resolve(operation + "/requestBody")
		count(schema.Requests, body+"/content")
		if responses := l.root.At(operation + "/responses"); responses != nil {
			for _, m := range responses.Members {
				pointer, _ := l.resolve(operation + "/responses/" + jsontree.EscapePointer(m.Name))
				count(schema.Answers, pointer+"/content")
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
			return max(all/rest, minSchemas)
		}
		all -= n
	}
	return wholeSchemas
}

// most is into how many schemas the one at a pointer is walked: what is not tested has only what a value needs.
func (l *loader) most(d schema.Direction, pointer string) int {
	maximum := l.maximum[d]
	if l.scarce && l.aside {
		maximum = minSchemas
	}
	if strings.HasPrefix(pointer, "/"+inputs+"/") {
		maximum = max(maximum, minInputs)
	}
	return maximum
}

// cut names a schema that is tried only in part, once, however many bodies lead there. An
// answer is judged as a whole.
func (l *loader) cut(one *schema.Shape) {
	if one.Cut == "" || one.Direction == schema.Answers || l.scarce && l.aside {
		return
	}
	at := one.Cut
	if l.cuts == nil {
		l.cuts = map[string]bool{}
	}
	if !l.cuts[at] {
		l.cuts[at] = true
		l.c.Cut++
		l.leaveOut("%s: the schema goes deeper than it is tried: %s (%s)", l.c.Clause(at), one.Why, l.c.Where(at))
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
