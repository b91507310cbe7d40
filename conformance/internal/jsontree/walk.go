package jsontree

import "strconv"

// Walk calls f for v and everything below it, parents first, in order. The
// pointer is relative to v (RFC 6901) and cut, with an ellipsis, at 4096 bytes.
// f may change what lies below the value it is given.
func (v *Value) Walk(f func(pointer string, v *Value)) {
	if v == nil {
		return
	}
	type level struct {
		v       *Value
		pointer string
		next    int
	}
	f("", v)
	stack := []level{{v: v}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		var c *Value
		var token string
		switch {
		case top.v.Kind == Array && top.next < len(top.v.Items):
			c, token = top.v.Items[top.next], strconv.Itoa(top.next)
		case top.v.Kind == Object && top.next < len(top.v.Members):
			c, token = top.v.Members[top.next].Value, top.v.Members[top.next].Name
		default:
			stack = stack[:len(stack)-1]
			continue
		}
		top.next++
		if c == nil {
			continue
		}
		p := child(top.pointer, token)
		f(p, c)
		if c.Kind == Array || c.Kind == Object {
			stack = append(stack, level{v: c, pointer: p})
		}
	}
}

// Clone copies v and everything below it.
func (v *Value) Clone() *Value {
	if v == nil {
		return nil
	}
	root := new(Value)
	*root = *v
	todo := []*Value{root}
	copied := func(from *Value) *Value {
		if from == nil {
			return nil
		}
		to := new(Value)
		*to = *from
		if from.Items != nil || from.Members != nil {
			todo = append(todo, to)
		}
		return to
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c.Items != nil {
			items := make([]*Value, len(c.Items))
			for i, from := range c.Items {
				items[i] = copied(from)
			}
			c.Items = items
		}
		if c.Members != nil {
			members := make([]Member, len(c.Members))
			for i, m := range c.Members {
				members[i] = Member{Name: m.Name, Raw: m.Raw, Value: copied(m.Value)}
			}
			c.Members = members
		}
	}
	return root
}
