package openapi

import (
	"plantstore/conformance/internal/jsontree"
)

// repeats makes a fault of each value whose key is there twice: readers differ in which
// of the two they take.
func (l *loader) repeats() {
	if len(l.c.tree.Repeats) == 0 {
		return
	}
	in := map[*jsontree.Value]map[string]string{}
	for _, r := range l.c.tree.Repeats {
		if in[r.In] == nil {
			in[r.In] = map[string]string{}
		}
		in[r.In][r.Name] = r.Err.Msg
	}
	at := map[string]string{}
	eachMember(l.c.tree.Root, "", func(holder *jsontree.Value, m jsontree.Member, pointer string) {
		if msg, twice := in[holder][m.Name]; twice {
			at[pointer] = msg
		}
	})
	eachMember(l.root, "", func(_ *jsontree.Value, m jsontree.Member, pointer string) {
		from := pointer
		if l.c.origin != nil {
			from = l.c.origin(pointer)
		}
		if msg, twice := at[from]; twice {
			l.faults.add(m.Value, bad(pointer, "%s: keep one", msg))
		}
	})
}

// eachMember calls a function for each member below a value, with its pointer.
func eachMember(v *jsontree.Value, at string, f func(holder *jsontree.Value, m jsontree.Member, pointer string)) {
	for i, item := range v.Items {
		eachMember(item, at+"/"+itoa(i), f)
	}
	for _, m := range v.Members {
		below := at + "/" + jsontree.EscapePointer(m.Name)
		f(v, m, below)
		eachMember(m.Value, below, f)
	}
}
