package jsontree

import (
	"encoding/json"
	"strings"
)

// Native gives v as map[string]any, []any, string, json.Number, bool and nil,
// as schema validators want it. The last of duplicate names wins. Numbers
// beyond 1000 digits or 10^±1000 become stand-ins of the same sign, wholeness
// and, as far as any bound reaches, magnitude, so that rationals stay small.
// Lone surrogates in strings become U+FFFD, so that lengths count them as one.
func (v *Value) Native() any { return v.NativeTo(DefaultDepth + 1) }

// NativeTo is Native with containers below a depth left out as nil: schemas that
// a person wrote do not look there, and a tree of 100,000 levels costs memory.
func (v *Value) NativeTo(depth int) any {
	type level struct {
		v    *Value
		list []any
		dict map[string]any
		next int
	}
	var stack []level
	made := func(v *Value) any {
		if v == nil || len(stack) > depth && (v.Kind == Array || v.Kind == Object) {
			return nil
		}
		switch v.Kind {
		case Bool:
			return v.Bool
		case Number:
			return json.Number(standIn(v.Text))
		case String:
			return replaceSurrogates(v.Text)
		case Array:
			l := make([]any, len(v.Items))
			stack = append(stack, level{v: v, list: l})
			return l
		case Object:
			d := make(map[string]any, len(v.Members))
			stack = append(stack, level{v: v, dict: d})
			return d
		}
		return nil
	}
	root := made(v)
	for len(stack) > 0 {
		i := len(stack) - 1
		top := stack[i]
		if top.next == top.v.size() {
			stack = stack[:i]
			continue
		}
		stack[i].next++
		if top.list != nil {
			top.list[top.next] = made(top.v.Items[top.next])
		} else {
			m := &top.v.Members[top.next]
			top.dict[m.Name] = made(m.Value)
		}
	}
	return root
}

func replaceSurrogates(s string) string {
	if strings.IndexByte(s, 0xED) < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if _, ok := surrogate(s[i:]); ok {
			out = append(out, "\uFFFD"...)
			i += 3
			continue
		}
		out = append(out, s[i])
		i++
	}
	return string(out)
}
