package yamltree

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
)

// places turns the marks of values into lines and columns. A large document has
// a million values, and few of their places are ever asked for: a value carries
// four bytes, and the rest is worked out on demand. In JSON that takes a pass
// over the text, so it is meant for complaints.
type places struct {
	json string // the text if it is JSON: a mark is an offset, plus 1
	list []spot // else a mark is an index, plus 1
}

// spot is the place of a value and of its name.
type spot struct{ value, name place }

type place struct{ line, col int32 }

// add records a spot and returns its mark.
func (p *places) add(s spot) uint32 {
	p.list = append(p.list, s)
	return uint32(len(p.list))
}

func (p *places) value(v *jsontree.Value) (place, bool) {
	switch {
	case v.Mark == 0:
		return place{}, false
	case p.list == nil:
		return placeOf(p.json, int(v.Mark)-1), true
	}
	return p.list[v.Mark-1].value, true
}

func (p *places) name(of *jsontree.Value, member int) (place, bool) {
	switch v := of.Members[member].Value; {
	case p.list == nil && of.Mark > 0:
		at := jsontree.NameOffset(p.json, int(of.Mark)-1, member)
		return placeOf(p.json, at), at >= 0
	case p.list == nil || v.Mark == 0:
		return place{}, false
	default:
		return p.list[v.Mark-1].name, true
	}
}

// Position returns line and column, from 1, of the value at the pointer, or of its
// nearest ancestor that exists. The place of a block mapping is its first key.
func (t *Tree) Position(pointer string) (line, col int) {
	for _, s := range slices.Backward(t.steps(pointer)) {
		if p, ok := t.places.value(s.value); ok {
			return int(p.line), int(p.col)
		}
	}
	return 1, 1
}

// NamePosition returns line and column of the member's name, or of the nearest
// ancestor that has one, or 1:1 if there is none.
func (t *Tree) NamePosition(pointer string) (line, col int) {
	for _, s := range slices.Backward(t.steps(pointer)) {
		if s.in == nil || s.in.Kind != jsontree.Object {
			continue
		}
		if p, ok := t.places.name(s.in, s.n); ok {
			return int(p.line), int(p.col)
		}
	}
	return 1, 1
}

// Line returns the line of the value at the pointer, from 1, or of its nearest ancestor
// that exists. The line of a member is that of its name.
func (t *Tree) Line(pointer string) int {
	for _, s := range slices.Backward(t.steps(pointer)) {
		if s.in != nil && s.in.Kind == jsontree.Object {
			if p, ok := t.places.name(s.in, s.n); ok {
				return int(p.line)
			}
		}
		if p, ok := t.places.value(s.value); ok {
			return int(p.line)
		}
	}
	return 1
}

// step is a value on the way to a pointer: member or item n of what it is in.
type step struct {
	value, in *jsontree.Value
	n         int
}

// steps lists the values on the way to a pointer, the root first, and ends where the
// pointer leads nowhere.
func (t *Tree) steps(pointer string) []step {
	if t.Root == nil {
		return nil
	}
	v := t.Root
	out := []step{{value: v}}
	if pointer == "" {
		return out
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		next, n := v.Child(token)
		if next == nil {
			break
		}
		out = append(out, step{value: next, in: v, n: n})
		v = next
	}
	return out
}

// Where returns Position as "name:line:col".
func (t *Tree) Where(pointer string) string {
	line, col := t.Position(pointer)
	return fmt.Sprintf("%s:%d:%d", t.name, line, col)
}

func placeOf(text string, offset int) place {
	passed := text[:min(max(offset, 0), len(text))]
	line := strings.Count(passed, "\n")
	return place{int32(line) + 1, int32(utf8.RuneCountInString(passed[strings.LastIndexByte(passed, '\n')+1:])) + 1}
}
