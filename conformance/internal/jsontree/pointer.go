package jsontree

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// EscapePointer spells a name as a reference token: ~ as ~0 and / as ~1
// (RFC 6901, section 3).
func EscapePointer(s string) string {
	if strings.IndexByte(s, '~') < 0 && strings.IndexByte(s, '/') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// UnescapePointer reads a reference token back; false if a ~ is followed by
// anything but 0 or 1 (RFC 6901, section 3).
func UnescapePointer(s string) (string, bool) {
	if strings.IndexByte(s, '~') < 0 {
		return s, true
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return "", false
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~"), true
}

// At gives the value at the pointer (RFC 6901, section 4), in an object the
// first member of the name; nil if there is none or the pointer is malformed.
func (v *Value) At(pointer string) *Value {
	for v != nil && pointer != "" {
		token, rest, ok := cutToken(pointer)
		if !ok {
			return nil
		}
		pointer = rest
		switch v.Kind {
		case Object:
			v = v.Get(token)
		case Array:
			i := arrayIndex(token, len(v.Items))
			if i < 0 {
				return nil
			}
			v = v.Items[i]
		default:
			return nil
		}
	}
	return v
}

// TextAt gives the text of the string at the pointer; empty if there is none.
func (v *Value) TextAt(pointer string) string {
	if v = v.At(pointer); v == nil || v.Kind != String {
		return ""
	}
	return v.Text
}

// Fragment gives a pointer as a URI fragment (RFC 6901, section 6).
func Fragment(pointer string) string { return (&url.URL{Path: pointer}).EscapedPath() }

// FromFragment reads a pointer back. It removes what comes before the fragment.
func FromFragment(location string) string {
	_, f, _ := strings.Cut(location, "#")
	if p, err := url.PathUnescape(f); err == nil {
		return p
	}
	return f
}

// Child returns the member or item that one token of a pointer names, and its index,
// or nil if there is none.
func (v *Value) Child(token string) (*Value, int) {
	name, ok := UnescapePointer(token)
	switch {
	case v == nil || !ok:
	case v.Kind == Object:
		if i := v.index(name); i >= 0 {
			return v.Members[i].Value, i
		}
	case v.Kind == Array:
		if i := arrayIndex(name, len(v.Items)); i >= 0 {
			return v.Items[i], i
		}
	}
	return nil, 0
}

// SetAt puts val at the pointer: it replaces an existing value, adds a member
// to an object, or appends to an array ("-" or its length). "" replaces v's
// own contents. False if the parent does not exist or cannot hold it.
func (v *Value) SetAt(pointer string, val *Value) bool {
	if v == nil || val == nil {
		return false
	}
	if pointer == "" {
		*v = *val
		return true
	}
	parent, token, ok := v.parent(pointer)
	if !ok {
		return false
	}
	if parent.Kind == Object {
		parent.Set(token, val)
		return true
	}
	if token == "-" || token == strconv.Itoa(len(parent.Items)) {
		parent.Items = append(parent.Items, val)
		return true
	}
	i := arrayIndex(token, len(parent.Items))
	if i < 0 {
		return false
	}
	parent.Items[i] = val
	return true
}

// RemoveAt takes out the value at the pointer and reports whether there was one.
// The root cannot be removed.
func (v *Value) RemoveAt(pointer string) bool {
	parent, token, ok := v.parent(pointer)
	if !ok {
		return false
	}
	if parent.Kind == Object {
		return parent.Remove(token)
	}
	i := arrayIndex(token, len(parent.Items))
	if i < 0 {
		return false
	}
	kept := make([]*Value, 0, len(parent.Items)-1)
	kept = append(kept, parent.Items[:i]...)
	parent.Items = append(kept, parent.Items[i+1:]...)
	return true
}

// parent gives the container that the pointer's last token belongs to.
func (v *Value) parent(pointer string) (*Value, string, bool) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return nil, "", false
	}
	token, ok := UnescapePointer(pointer[i+1:])
	p := v.At(pointer[:i])
	return p, token, ok && p != nil && (p.Kind == Object || p.Kind == Array)
}

func cutToken(pointer string) (token, rest string, ok bool) {
	if pointer[0] != '/' {
		return "", "", false
	}
	end := strings.IndexByte(pointer[1:], '/') + 1
	if end == 0 {
		end = len(pointer)
	}
	token, ok = UnescapePointer(pointer[1:end])
	return token, pointer[end:], ok
}

// arrayIndex reads an index without sign or leading zero, below n; else -1.
func arrayIndex(token string, n int) int {
	if token == "" || len(token) > 10 || token[0] == '0' && token != "0" || digits(token) != len(token) {
		return -1
	}
	i, err := strconv.Atoi(token)
	if err != nil || i >= n {
		return -1
	}
	return i
}

const (
	maxErrorPointer = 200
	maxWalkPointer  = 4096
	ellipsis        = "…"
)

// pointerBuilder builds a pointer that is cut at a length, since those of deep
// or hostile texts grow without bound.
type pointerBuilder struct {
	b   []byte
	max int // maxErrorPointer if 0
}

func (p *pointerBuilder) limit() int {
	if p.max == 0 {
		return maxErrorPointer
	}
	return p.max
}

func (p *pointerBuilder) full() bool { return len(p.b) > p.limit() }

func (p *pointerBuilder) index(i int) { p.b = strconv.AppendInt(append(p.b, '/'), int64(i), 10) }

func (p *pointerBuilder) name(s string) {
	if len(s) > p.limit() {
		s = s[:p.limit()+1]
	}
	p.b = append(append(p.b, '/'), EscapePointer(s)...)
}

func (p *pointerBuilder) String() string { return cutText(string(p.b), p.limit()) }

// cutText shortens s to at most n bytes, at the border of a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len(ellipsis)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + ellipsis
}

// child extends a pointer by one token; one that is cut already stays as it is.
func child(pointer, token string) string {
	if len(pointer) > maxWalkPointer-8 && strings.HasSuffix(pointer, ellipsis) {
		return pointer
	}
	if len(token) > maxWalkPointer {
		token = token[:maxWalkPointer+1]
	}
	return cutText(pointer+"/"+EscapePointer(token), maxWalkPointer)
}

// frame is an open container; seen holds the names of a large object.
type frame struct {
	v    *Value
	from int // where its members or items begin among those of the open containers
	seen map[string]struct{}
}

// contents are members and items of several containers, one behind the other. How many
// a container has is known when it ends: then they are moved to where they take no more
// room than they need.
type contents struct {
	members []Member
	items   []*Value
}

func (c *contents) size(of Kind) int {
	if of == Array {
		return len(c.items)
	}
	return len(c.members)
}

// Slabs of as many bytes as the allocator does not round: 8 KiB.
const (
	slabMembers = 204
	slabItems   = 1024
)

// close ends the innermost container.
func (p *parser) close() {
	f := p.open[len(p.open)-1]
	if f.v.Kind == Array {
		f.v.Items = carve(&p.made.items, p.now.items[f.from:], slabItems)
		p.now.items = p.now.items[:f.from]
	} else {
		f.v.Members = carve(&p.made.members, p.now.members[f.from:], slabMembers)
		p.now.members = p.now.members[:f.from]
	}
	p.open[len(p.open)-1] = frame{}
	p.open = p.open[:len(p.open)-1]
}

// carve copies a list into a slab, or into a place of its own if it is long, and
// returns the copy. Slabs grow up to a number of elements.
func carve[T any](slab *[]T, list []T, maximum int) []T {
	n := len(list)
	switch {
	case n == 0:
		return nil
	case n > maximum/4:
		return append(make([]T, 0, n), list...)
	case cap(*slab)-len(*slab) < n:
		*slab = make([]T, 0, max(n, min(2*cap(*slab), maximum)))
	}
	from := len(*slab)
	*slab = append(*slab, list...)
	return (*slab)[from:len(*slab):len(*slab)]
}

// end is where the members or items of an open container end.
func (p *parser) end(n int) int {
	for _, f := range p.open[n+1:] {
		if f.v.Kind == p.open[n].v.Kind {
			return f.from
		}
	}
	return p.now.size(p.open[n].v.Kind)
}

// here is the pointer of the value or member that was added last to the outermost n
// of the open containers.
func (p *parser) here(n int) string {
	var b pointerBuilder
	for i := range n {
		if b.full() {
			break
		}
		f, end := p.open[i], p.end(i)
		if f.v.Kind == Array {
			b.index(max(0, end-f.from-1))
		} else if end > f.from {
			b.name(p.now.members[end-1].Name)
		}
	}
	return b.String()
}

// place is the pointer for a syntax error: the value that was wanted or was
// being read, else the container.
func (p *parser) place() string {
	if len(p.open) == 0 {
		return ""
	}
	n := len(p.open) - 1
	top, end := p.open[n], p.end(n)
	b := pointerBuilder{max: maxErrorPointer, b: []byte(p.here(n))}
	switch {
	case p.sc.state == wantValueOrEnd || p.sc.state == wantValue && top.v.Kind == Array:
		b.index(end - top.from)
	case p.sc.state == wantColon || p.sc.state == wantValue:
		b.name(p.now.members[end-1].Name)
	}
	return b.String()
}
