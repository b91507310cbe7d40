package jsontree

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
func carve[T any](slab *[]T, list []T, most int) []T {
	n := len(list)
	switch {
	case n == 0:
		return nil
	case n > most/4:
		return append(make([]T, 0, n), list...)
	case cap(*slab)-len(*slab) < n:
		*slab = make([]T, 0, max(n, min(2*cap(*slab), most)))
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
