package contract

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
	"plantstore/conformance/internal/resolve"
	"plantstore/conformance/internal/yamltree"
)

// Load reads an OpenAPI 3.0 or 3.1 document, YAML or JSON. The name is used in
// error messages, which are one line: name:line:column: what is wrong.
func Load(name string, b []byte) (*Contract, error) {
	tree, err := yamltree.Parse(name, b)
	if err != nil {
		return nil, err
	}
	if tree.Root == nil || tree.Root.Kind != jsontree.Object {
		return nil, fmt.Errorf("%s: not an OpenAPI document: want an object with openapi, info and paths", name)
	}
	sum := sha256.Sum256(b)
	c := &Contract{
		Name: name, tree: tree, Digest: hex.EncodeToString(sum[:]),
		OpenAPI: text(tree.Root, "/openapi"),
		Title:   text(tree.Root, "/info/title"),
		Version: text(tree.Root, "/info/version"),
	}
	if tree.Root.Get("swagger") != nil && tree.Root.Get("openapi") == nil {
		return nil, fmt.Errorf("%s: a document of Swagger 2.0: this suite reads OpenAPI 3.0.x and 3.1.x, convert it first", tree.Where("/swagger"))
	}
	if !strings.HasPrefix(c.OpenAPI, "3.0.") && !strings.HasPrefix(c.OpenAPI, "3.1.") {
		return nil, fmt.Errorf("%s: openapi is %q: this suite reads 3.0.x and 3.1.x", tree.Where("/openapi"), c.OpenAPI)
	}
	if c.LeftOut, err = resolve.Document(tree.Root, name, c.OpenAPI); err != nil {
		var at *resolve.Error
		errors.As(err, &at)
		return nil, fmt.Errorf("%s: %w", tree.Where(at.Pointer), err)
	}
	l := loader{c: c, root: tree.Root, js: newCompiler(tree.Root, c.OpenAPI), slugs: NewSlugs()}
	all := l.candidates()
	l.crowd(all)
	l.most = share(len(all) - len(l.crowded))
	if err := l.structure("", l.root, document()); err != nil {
		return nil, err
	}
	if err := l.lint(); err != nil {
		return nil, err
	}
	if err := l.wire(); err != nil {
		return nil, err
	}
	if err := l.operations(); err != nil {
		return nil, err
	}
	if len(c.Operations) == 0 {
		return nil, fmt.Errorf("%s: no operation of the document can be tested: %s", name,
			cmp.Or(first(c.LeftOut, 5), "it has none"))
	}
	return c, nil
}

// loader holds what the steps of Load share.
type loader struct {
	c    *Contract
	root *jsontree.Value
	js   *compiler
	most int // schemas that one body is walked into
	// slugs makes the slugs of operations unique if their paths are spelled alike.
	slugs *Slugs
	// crowded are the operations, as method and path, that do not fit into the
	// limits.
	crowded map[string]bool
}

func (l *loader) fail(pointer, format string, args ...any) error {
	return fmt.Errorf("%s: %s", l.c.tree.Where(pointer), fmt.Sprintf(format, args...))
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
		pointer = unfragment(ref.Text)
	}
	return pointer, nil
}

// shape returns the shape of the schema at pointer, or nil if there is none.
func (l *loader) shape(d Direction, pointer string) (*Shape, error) {
	if l.root.At(pointer) == nil {
		return nil, nil
	}
	meant := l.plainly(pointer)
	exact, err := l.js.compile(d, meant)
	if bad := (*malformed)(nil); errors.As(err, &bad) {
		return nil, l.uncompiled(pointer, err)
	}
	if f := newFinite(l.js.roots[d]); !f.at(pointer) {
		return nil, l.fail(f.chain, "%s: no value satisfies this schema, for it needs another of itself without end: make a member optional, or let it be null",
			shown(f.chain))
	}
	if err != nil {
		return nil, l.uncompiled(pointer, err)
	}
	schema, size, left := flatten(l.js.roots[d], pointer, l.most)
	for _, what := range left {
		l.leaveOut("%s: %s", pointer, what)
	}
	return &Shape{Schema: schema, Size: size, Direction: d, exact: exact, pointer: meant, compiler: l.js,
		Domains: map[string]Domain{}, branches: newBranches(), patterns: map[string]*pattern.Pattern{}}, nil
}

// uncompiled returns why the schema at pointer does not compile, with the exact
// place if it is known.
func (l *loader) uncompiled(pointer string, err error) error {
	var bad *malformed
	if errors.As(err, &bad) {
		return l.fail(bad.pointer, "%s: no JSON schema: %s", shown(bad.pointer), bad.what)
	}
	return l.fail(pointer, "schema does not compile: %v", err)
}

// plainly follows references that contain nothing else, so that a schema is
// compiled once, however many operations refer to it.
func (l *loader) plainly(pointer string) string {
	for range 16 {
		v := l.root.At(pointer)
		ref := v.Get("$ref")
		if ref == nil || len(v.Members) > 1 || !strings.HasPrefix(ref.Text, "#/") {
			break
		}
		pointer = unfragment(ref.Text)
	}
	return pointer
}

func text(root *jsontree.Value, pointer string) string {
	v := root.At(pointer)
	if v == nil || v.Kind != jsontree.String {
		return ""
	}
	return v.Text
}

// first joins the first reasons, and counts the others.
func first(reasons []string, most int) string {
	if len(reasons) <= most {
		return strings.Join(reasons, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(reasons[:most], "; "), len(reasons)-most)
}
