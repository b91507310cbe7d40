package resource

import (
	"strings"

	"plantstore/conformance/internal/openapi"
)

// Families numbers the operations of a document. What one of them makes or deletes can
// only be a thing of another, or be needed by it, if both have the same number: their
// paths begin with the same collection, or one may get a value from the other.
func (m *Map) Families() map[*openapi.Operation]int {
	if m == nil {
		return nil
	}
	f := families{of: map[*openapi.Operation]int{}}
	collections := map[string]int{}
	for i, op := range m.ops {
		f.of[op], f.joined = i, append(f.joined, i)
		if above, found := fixed(op.Path); found {
			collections[above] = i
		}
	}
	for i, op := range m.ops {
		for path, _ := fixed(op.Path); ; path = path[:strings.LastIndexByte(path, '/')] {
			if other, found := collections[path]; found {
				f.join(i, other)
			}
			if !strings.Contains(path, "/") {
				break
			}
		}
	}
	for op, needs := range m.needs {
		for _, n := range needs {
			for _, w := range n.Ways {
				if w.From != nil {
					f.join(f.of[op.First()], f.of[w.From.First()])
				}
			}
		}
	}
	out := map[*openapi.Operation]int{}
	for op, i := range f.of {
		out[op] = f.head(i)
	}
	return out
}

// fixed returns the part of a path before its first segment with an expression, and
// whether it has one.
func fixed(path string) (string, bool) {
	before, _, found := strings.Cut(path, "{")
	if !found {
		return strings.TrimSuffix(path, "/"), false
	}
	return before[:max(strings.LastIndexByte(before, '/'), 0)], true
}

// families joins numbers; the head of each family is its least.
type families struct {
	of     map[*openapi.Operation]int
	joined []int
}

func (f *families) head(i int) int {
	for f.joined[i] != i {
		f.joined[i] = f.joined[f.joined[i]]
		i = f.joined[i]
	}
	return i
}

func (f *families) join(a, b int) {
	a, b = f.head(a), f.head(b)
	f.joined[max(a, b)] = min(a, b)
}
