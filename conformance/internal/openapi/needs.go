package openapi

import (
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// needed returns the members that the schema at a pointer requires.
func (f *flattener) needed(pointer string) map[string]bool {
	n := needs{root: f.root, left: leanSteps}
	n.add(pointer, 0)
	return n.names
}

type needs struct {
	root  *jsontree.Value
	names map[string]bool // nil if there is none
	left  int             // schemas that are still looked at: allOf in allOf multiplies
}

func (n *needs) add(pointer string, depth int) {
	node := n.root.At(pointer)
	if n.left--; node == nil || node.Kind != jsontree.Object || depth > leanDepth || n.left < 0 {
		return
	}
	if list := node.Get("required"); list != nil {
		names := texts(list)
		if n.names == nil && len(names) > 0 {
			n.names = make(map[string]bool, len(names))
		}
		for _, name := range names {
			n.names[name] = true
		}
	}
	if ref := node.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") {
		n.add(unfragment(ref.Text), depth+1)
	}
	if all := node.Get("allOf"); all != nil {
		for i := range all.Items {
			n.add(pointer+"/allOf/"+strconv.Itoa(i), depth+1)
		}
	}
}

// How much is examined to find the required members: references in a row, and
// schemas.
const (
	leanDepth = 8
	leanSteps = 1000
)
