package requirement

import (
	"fmt"
	"regexp"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// NameValues reads values that the target is known to take, each written as
// [OPERATION:]POINTER=VALUE: the pointer names a member of a request body, the
// value is JSON, or a text as it is where the member takes one. It changes the
// domains of the contract, and what is asked of the member in the set: a named
// value must be accepted. The errors are one line.
func NameValues(set *Set, c *contract.Contract, list []string) error {
	n := namer{set: set, c: c, given: map[string]string{}}
	for _, text := range list {
		if err := n.name(text); err != nil {
			return fmt.Errorf("value %s: %w", show(text), err)
		}
	}
	return nil
}

type namer struct {
	set   *Set
	c     *contract.Contract
	given map[string]string
}

func (n *namer) name(text string) error {
	ops, rest := n.c.Operations, text
	if before, behind, found := strings.Cut(text, ":/"); found && !strings.HasPrefix(text, "/") {
		if ops, rest = nil, "/"+behind; before == "" {
			return fmt.Errorf("no operation before the colon: write OPERATION:POINTER=VALUE, or POINTER=VALUE for all")
		}
		var slugs []string
		for _, op := range n.c.Operations {
			slugs = append(slugs, op.Slug)
			if op.Slug == before {
				ops = append(ops, op)
			}
		}
		if len(ops) == 0 {
			return fmt.Errorf("no operation %s: use one of %s", show(before), some(slugs))
		}
	}
	if !strings.HasPrefix(rest, "/") || !strings.Contains(rest, "=") {
		return fmt.Errorf("use POINTER=VALUE, such as /member=word, or OPERATION:POINTER=VALUE")
	}
	var all []*contract.Schema
	for _, op := range ops {
		all = append(all, bodies(op)...)
	}
	// A member name may have a sign of equality in it: the shortest place counts.
	for at := 0; ; at++ {
		i := strings.IndexByte(rest[at:], '=')
		if i < 0 {
			break
		}
		at += i
		path := indices.ReplaceAllString(rest[:at], "/*")
		if len(locate(all, path).schemas) > 0 {
			return n.keep(ops, path, rest[at+1:])
		}
	}
	path, _, _ := strings.Cut(rest, "=")
	beside := locate(all, indices.ReplaceAllString(path, "/*")).beside
	if len(beside) == 0 {
		return fmt.Errorf("%s is not a place in a request body", show(path))
	}
	return fmt.Errorf("%s is not a place in a request body: use one of %s", show(path), some(beside))
}

// indices are those of arrays: any index stands for all.
var indices = regexp.MustCompile(`/[0-9]+\b`)

// keep names a value at a place of every operation that has it.
func (n *namer) keep(ops []*contract.Operation, path, text string) error {
	kept := 0
	for _, op := range ops {
		found := locate(bodies(op), path)
		if len(found.schemas) == 0 {
			continue
		}
		v, fits := valueFor(op, found.schemas, text)
		if !fits {
			if len(ops) > 1 {
				continue // it may be meant for another operation
			}
			return fmt.Errorf("it violates the schema in the document at %s", path)
		}
		key := op.Slug + " " + path
		if n.given[key] != "" {
			return fmt.Errorf("%s already has a value: give one per place", path)
		}
		n.given[key] = text
		kept++
		nameValue(n.set, op, path, v)
	}
	if kept == 0 {
		return fmt.Errorf("it violates the schema in the document at %s", path)
	}
	return nil
}

// nameValue keeps a value of one body, and asks for it.
func nameValue(set *Set, op *contract.Operation, path string, v *jsontree.Value) {
	d := op.Body.Shape.Domains[path]
	d.Value = v
	op.Body.Shape.Domains[path] = d
	for _, r := range set.List {
		if r.Op == op && r.Rule == "some-accepted" && r.Args.Key.Path == path {
			r.Rule = "accepted"
		}
	}
}

// valueFor reads a value as the schemas of a place take it: as a text where that
// fits, else as JSON.
func valueFor(op *contract.Operation, schemas []*contract.Schema, text string) (*jsontree.Value, bool) {
	candidates := []*jsontree.Value{jsontree.NewString(text)}
	if doc, err := jsontree.Parse([]byte(text)); err == nil {
		candidates = append(candidates, doc.Root)
	}
	for _, v := range candidates {
		for _, s := range schemas {
			if op.Body.Shape.Matches(s, v) {
				return v, true
			}
		}
	}
	return nil, false
}
