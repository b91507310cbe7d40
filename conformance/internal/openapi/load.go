package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/yamltree"
)

// versioned matches a text with the member that every document has, even if it cannot be read.
var versioned = regexp.MustCompile(`(?m)(^|[{,\x{FEFF}])\s*["']?(openapi|swagger)["']?\s*:`)

// Load reads a document of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, in YAML or JSON. The
// name is used in error messages, which are one line: name:line:column: what is wrong.
func Load(name string, b []byte) (*Contract, error) { return LoadWith(name, b, Source{}) }

// LoadWith is Load where references may lead to other files.
func LoadWith(name string, b []byte, from Source) (*Contract, error) {
	tree, err := yamltree.ParseLoosely(name, b)
	switch {
	case err != nil && !versioned.Match(b):
		return nil, fmt.Errorf("%s: not an OpenAPI document: it has no member openapi or swagger: give the YAML or JSON file that has one", name)
	case err != nil:
		return nil, err
	case tree.Root == nil || tree.Root.Kind != jsontree.Object:
		return nil, fmt.Errorf("%s: not an OpenAPI document: want an object with openapi, info and paths", name)
	}
	sum := sha256.Sum256(b)
	c := &Contract{
		Name: name, tree: tree, Digest: hex.EncodeToString(sum[:]), Stated: stated(tree.Root), Size: len(b),
		Title:   tree.Root.TextAt("/info/title"),
		Version: tree.Root.TextAt("/info/version"),
	}
	l := loader{c: c, slugs: NewSlugs(), faults: faults{at: map[*jsontree.Value]*fault{}}}
	language, err := l.version(tree)
	if err != nil {
		return nil, err
	}
	l.root = c.root
	c.others = others{Source: from, trees: map[string]*yamltree.Tree{}, bytes: int64(len(b))}
	open := c.others.open(c)
	if c.origin != nil {
		open = nil // what other files of Swagger 2.0 mean is not known
	}
	notes, wrong := ResolveReferences(l.root, from.address(name), language, open)
	c.LeftOut = append(c.LeftOut, notes...)
	for _, e := range wrong {
		if e.Holder == l.root {
			return nil, fmt.Errorf("%s: %w", c.Where(e.Pointer), e)
		}
		l.faults.add(e.Holder, &fault{pointer: e.Pointer, why: e.Why, beyond: e.Beyond})
	}
	l.unreadable()
	l.readInputs()
	l.schemas = schema.NewDocument(l.root, language, schema.Names{Clause: c.Clause, Of: nameOf}, from.Remembered)
	l.structure("", l.root, document())
	if f := l.faults.at[l.root.Get("paths")]; f != nil {
		return nil, fmt.Errorf("%s: %w", c.Where(f.pointer), f)
	}
	if defined := l.root.At("/components/securitySchemes"); defined != nil {
		for _, m := range defined.Members {
			c.SchemeNames = append(c.SchemeNames, m.Name)
			if s, err := l.scheme("", m.Name); err == nil && s.kind() == "" {
				c.Schemes = append(c.Schemes, s)
			}
		}
	}
	l.share()
	l.operations()
	c.parts()
	c.resources()
	c.codes()
	c.conditional()
	c.links()
	l.newer()
	if n := l.schemas.OpenNulls(); n > 0 {
		l.leaveOut("null is neither required nor forbidden where nullable has no type beside it, or an enum without null: %d schemas of the document", n)
	}
	l.unused()
	l.schemas.Done()
	if err := c.Empty(); err != nil {
		return nil, err
	}
	return c, nil
}

// loader holds what the steps of Load share.
type loader struct {
	c       *Contract
	root    *jsontree.Value
	schemas *schema.Document
	faults  faults
	// reading is the operation that is read, as far as it is known.
	reading *Operation
	maximum [2]int // how many schemas a body is walked into, in each direction
	// scarce says that not all bodies of the document fit, and aside that the operation
	// that is read is not tested.
	scarce, aside bool
	cuts          map[string]bool // places that are named
	// slugs makes the slugs of operations unique if their paths are spelled alike.
	slugs *Slugs
	// inputs are the parameters of each operation, by method and path.
	inputs map[string]given
	// usual are the URLs of the servers that operations have unless they name others.
	usual []string
}

func (l *loader) leaveOut(format string, args ...any) {
	l.c.LeftOut = append(l.c.LeftOut, fmt.Sprintf(format, args...))
}

// resolve follows references inside the document and returns the pointer and the
// value that they lead to.
func (l *loader) resolve(pointer string) (string, *jsontree.Value) {
	for range 16 {
		v := l.root.At(pointer)
		ref := v.Get("$ref")
		if ref == nil || !strings.HasPrefix(ref.Text, "#") {
			return pointer, v
		}
		pointer = jsontree.FromFragment(ref.Text)
	}
	return pointer, nil
}

// shape returns the shape of the schema at pointer, or nil if there is none. The
// error is a *fault.
func (l *loader) shape(d schema.Direction, pointer string) (*schema.Shape, error) {
	if l.root.At(pointer) == nil {
		return nil, nil
	}
	if err := l.unsound(pointer); err != nil {
		return nil, err
	}
	one, err := l.schemas.Shape(d, pointer, l.most(d, pointer))
	if wrong := (*schema.Malformed)(nil); errors.As(err, &wrong) {
		return nil, bad(wrong.Pointer, "no JSON schema: %s", wrong.What)
	}
	if endless := (*schema.Endless)(nil); errors.As(err, &endless) {
		return nil, bad(endless.Pointer, "no value satisfies this schema, for it needs another of itself without end: make a member optional, or let it be null")
	}
	if err != nil {
		return nil, beyond(pointer, "schema does not compile: %v", err)
	}
	for _, what := range one.Untried {
		l.leaveOut("%s: %s", l.c.Clause(pointer), what)
	}
	l.cut(one)
	return one, nil
}

// form describes a place of an OpenAPI document (OpenAPI 3.1, 4.8), as far as this
// suite reads it. Without this check a value of another kind would be ignored
// silently. A null is a member that is left empty.
type form struct {
	kind    jsontree.Kind
	members map[string]*form
	each    *form // of every other member, extensions apart
	items   *form
}

func object(members map[string]*form) *form {
	return &form{kind: jsontree.Object, members: members}
}

func mapOf(each *form) *form { return &form{kind: jsontree.Object, each: each} }

func listOf(items *form) *form { return &form{kind: jsontree.Array, items: items} }

func textForm() *form { return &form{kind: jsontree.String} }

func flag() *form { return &form{kind: jsontree.Bool} }

// document returns the form of the whole document.
func document() *form {
	media := mapOf(object(nil))
	header := object(map[string]*form{"required": flag(), "content": media})
	response := object(map[string]*form{"headers": mapOf(header), "content": media})
	body := object(map[string]*form{"required": flag(), "content": media})
	parameter := object(map[string]*form{"name": textForm(), "in": textForm(), "required": flag(), "content": media})
	security := listOf(mapOf(listOf(nil)))
	operation := object(map[string]*form{"parameters": listOf(parameter), "requestBody": body, "responses": mapOf(response), "security": security})
	item := object(map[string]*form{"parameters": listOf(parameter), "servers": listOf(object(nil))})
	for _, m := range methods {
		item.members[m] = operation
	}
	item.members["query"], item.members["additionalOperations"] = operation, mapOf(operation)
	scheme := object(map[string]*form{"type": textForm(), "scheme": textForm(), "name": textForm(), "in": textForm()})
	return object(map[string]*form{
		"info": object(nil), "servers": listOf(object(nil)), "security": security, "paths": mapOf(item),
		"components": object(map[string]*form{
			"schemas": mapOf(nil), "responses": mapOf(response), "parameters": mapOf(parameter), "headers": mapOf(header),
			"requestBodies": mapOf(body), "securitySchemes": mapOf(scheme), "pathItems": mapOf(item), "examples": mapOf(nil),
		}),
	})
}

// structure records the values of another kind than their place requires.
func (l *loader) structure(at string, v *jsontree.Value, f *form) {
	if f == nil || v == nil {
		return
	}
	if v.Kind != f.kind {
		l.faults.add(v, bad(at, "%s, but OpenAPI has %s", kindWord(v.Kind), kindWord(f.kind)))
		return
	}
	for i, item := range v.Items {
		l.structure(at+"/"+strconv.Itoa(i), item, f.items)
	}
	for _, m := range v.Members {
		below, known := f.members[m.Name]
		if !known && !strings.HasPrefix(m.Name, "x-") {
			below = f.each
		}
		if m.Value.Kind != jsontree.Null && below != nil {
			l.structure(at+"/"+jsontree.EscapePointer(m.Name), m.Value, below)
		}
	}
}

// kindWord returns the name of a kind with its article.
func kindWord(k jsontree.Kind) string {
	word := k.String()
	if slices.Contains([]jsontree.Kind{jsontree.Object, jsontree.Array}, k) {
		return "an " + word
	}
	return "a " + word
}

// Text is what the document says of the parameter.
func (p *Parameter) Text() hints.Text { return hints.Text{Place: p.Pointer, Said: p.Says} }

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

// most limits how many schemas a walk from a pointer makes. A schema that is not tested gets only what a
// value needs.
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
