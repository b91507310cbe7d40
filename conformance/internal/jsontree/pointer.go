package jsontree

import (
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
