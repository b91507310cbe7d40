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
