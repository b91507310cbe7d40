package openapi

import (
	"cmp"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// Member is a part of a request that has a name: a member of the body or a
// parameter. Its path is a JSON pointer for the body ("/name"), and begins with the
// section for a parameter ("query/limit").
type Member struct {
	*schema.Property
	Path string
}

// Members returns the members of the request: those of the body in document order,
// and the parameters.
func (o *Operation) Members() []Member {
	var out []Member
	if o.Body != nil {
		for _, p := range o.Body.Shape.Schema.Properties {
			out = append(out, Member{p, "/" + jsontree.EscapePointer(p.Name)})
		}
	}
	if o.Params != nil {
		for _, in := range o.Params.Schema.Properties {
			for _, p := range in.Schema.Properties {
				out = append(out, Member{p, in.Name + "/" + jsontree.EscapePointer(p.Name)})
			}
		}
	}
	return out
}

// HasMember reports whether a path is that of one of the members.
func (o *Operation) HasMember(path string) bool {
	section, token, nested := strings.Cut(path, "/")
	name, valid := jsontree.UnescapePointer(token)
	if !nested || !valid || jsontree.EscapePointer(name) != token {
		return false
	}
	var s *schema.Schema
	switch {
	case section == "" && o.Body != nil:
		s = o.Body.Shape.Schema
	case section != "" && o.Params != nil:
		if in := o.Params.Schema.Property(section); in != nil {
			s = in.Schema
		}
	}
	return s != nil && s.Property(name) != nil
}

// Optional returns the members that a request may leave out.
func (o *Operation) Optional() []Member {
	var out []Member
	for _, m := range o.Members() {
		if !m.Required && !m.Schema.ReadOnly {
			out = append(out, m)
		}
	}
	return out
}

// Defaulted returns the optional members of the body that have a default, and that a
// documented success in JSON has too.
func (o *Operation) Defaulted() []Member {
	var out []Member
	if o.Body == nil {
		return nil
	}
	for _, m := range o.Optional() {
		if strings.HasPrefix(m.Path, "/") && m.Schema.Default != nil && !m.Schema.WriteOnly && o.answers(m.Name) {
			out = append(out, m)
		}
	}
	return out
}

// answers reports whether a documented success has a member of this name.
func (o *Operation) answers(name string) bool {
	for _, r := range o.Documented(2) {
		for _, m := range r.Media {
			if m.Shape != nil && m.Shape.Schema.Property(name) != nil {
				return true
			}
		}
	}
	return false
}

// parts notes which bodies change a part of a resource, and what the document says of the
// whole: in the answer that reads it, and in the bodies that replace and make it.
func (c *Contract) parts() {
	for _, op := range c.Rows() {
		if op.Body == nil || op.Body.Shape == nil || !changesPart(op) {
			continue
		}
		shape := op.Body.Shape
		shape.Part = true
		for _, o := range c.Operations {
			shape.Whole = append(shape.Whole, wholes(op, o)...)
		}
	}
}

// changesPart reports whether members that a request of the operation leaves out stay as
// they are: a PUT that needs none may leave them. Many documents change resources with a POST at their
// own path.
func changesPart(op *Operation) bool {
	return op.Method == http.MethodPatch || op.Method == http.MethodPut && !slices.ContainsFunc(op.Body.Shape.Schema.Properties, func(p *schema.Property) bool { return p.Required }) ||
		op.Method == http.MethodPost && strings.HasSuffix(strings.TrimSuffix(op.Path, "/"), "}")
}

// wholes returns what another operation says of the whole thing that an operation changes.
func wholes(op, o *Operation) []*schema.Schema {
	path, other := strings.TrimSuffix(op.Path, "/"), strings.TrimSuffix(o.Path, "/")
	collection := path
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		collection = path[:i]
	}
	switch {
	case o.Method == http.MethodGet && other == path:
		var out []*schema.Schema
		for _, r := range o.Documented(2) {
			for _, m := range r.Media {
				if m.Shape != nil {
					out = append(out, m.Shape.Schema)
				}
			}
		}
		return out
	case o != op && o.Body != nil && o.Body.Shape != nil && (o.Method == http.MethodPut && other == path || o.Method == http.MethodPost && other == collection):
		return []*schema.Schema{o.Body.Shape.Schema}
	}
	return nil
}

// resources notes which members of bodies have the id of a resource under its bare name, or whose
// description says so: project, where POST /projects makes resources whose id is of the same type.
func (c *Contract) resources() {
	made := map[string]*schema.Schema{}
	for _, op := range c.Operations {
		path := strings.TrimSuffix(op.Path, "/")
		word := hints.One(path[strings.LastIndexByte(path, '/')+1:])
		if key := op.key(); op.Method == http.MethodPost && word != "" && key != nil {
			made[word] = key
		}
	}
	for _, op := range c.Rows() {
		if op.Body == nil || op.Body.Shape == nil {
			continue
		}
		for _, p := range op.Body.Shape.Schema.Properties {
			name := p.Name
			if made[hints.One(name)] == nil && holdsIDs(p) {
				name = cmp.Or(hints.IDOf(c.root.At(p.Schema.Pointer).TextAt("/description")), name)
			}
			if key := made[hints.One(name)]; key != nil && mayName(p, key) {
				p.Resource = hints.Flat(name)
			}
		}
	}
}

// key returns the schema of the id in a success of an operation, or nil.
func (o *Operation) key() *schema.Schema {
	for _, r := range o.Documented(2) {
		for _, m := range r.Media {
			if m.Shape == nil {
				continue
			}
			if p := m.Shape.Schema.Property("id"); p != nil {
				return p.Schema
			}
		}
	}
	return nil
}

// holdsIDs reports whether a member has whole numbers without an upper bound, or UUIDs: other values
// often mean something by themselves.
func holdsIDs(p *schema.Property) bool {
	s := p.Schema
	return s.Type() == "integer" && s.Maximum == "" && s.Below == "" || s.Type() == "string" && s.Format == "uuid"
}

// mayName reports whether a member can hold an id with this schema.
func mayName(p *schema.Property, key *schema.Schema) bool {
	s := p.Schema
	return holdsIDs(p) && s.HoldsKeys() && !s.ReadOnly && s.Default == nil && s.Type() == key.Type() && cmp.Or(s.Format, key.Format) == key.Format &&
		!hints.IsKey(p.Name) && hints.Refers(p.Name) == ""
}

// Refers is RefersAt for a member in a section of a request, or in its body if that is empty.
func (m Member) Refers(section string) string {
	return cmp.Or(hints.RefersAt(section, m.Name), m.Resource)
}

// Beside lists the operation, and its copies that share its parameters or body.
func (o *Operation) Beside() []*Operation {
	own := o.shapes()
	return slices.DeleteFunc(o.First().Rows(), func(row *Operation) bool {
		return row != o && !slices.ContainsFunc(row.shapes(), func(s *schema.Shape) bool { return slices.Contains(own, s) })
	})
}

func (o *Operation) shapes() []*schema.Shape {
	var out []*schema.Shape
	if o.Params != nil {
		out = append(out, o.Params)
	}
	if o.Body != nil && o.Body.Shape != nil {
		out = append(out, o.Body.Shape)
	}
	return out
}

// WriteOnly lists the places of the body that only clients set, such as /password, at most
// some objects deep.
func (o *Operation) WriteOnly() []string {
	var out []string
	for _, m := range o.writeOnly() {
		out = append(out, m.Path)
	}
	return out
}

// writeOnly lists the members of those places.
func (o *Operation) writeOnly() []Member {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	return writeOnly(o.Body.Shape.Schema, "", maxWriteOnly)
}

// maxWriteOnly is how many objects deep WriteOnly looks.
const maxWriteOnly = 3

func writeOnly(s *schema.Schema, at string, depth int) []Member {
	if s == nil || depth == 0 {
		return nil
	}
	var out []Member
	for _, p := range s.Properties {
		place := at + "/" + jsontree.EscapePointer(p.Name)
		if p.Schema.WriteOnly {
			out = append(out, Member{p, place})
			continue
		}
		out = append(out, writeOnly(p.Schema, place, depth-1)...)
	}
	return out
}

// ReadOnly lists the members of the body that only the server sets, and whose value shows
// whether it did: no keys, and no members that have few values.
func (o *Operation) ReadOnly() []*schema.Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*schema.Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s := p.Schema
		few := len(s.Enum) > 0 || s.Const != nil || s.Type() != "string" && s.Type() != "integer" && s.Type() != "number"
		if s.ReadOnly && !s.Never && !few && !hints.IsKey(p.Name) {
			out = append(out, p)
		}
	}
	return out
}

// unreadable makes a fault of each value that cannot be read as it is.
func (l *loader) unreadable() {
	if len(l.c.tree.Faults) == 0 {
		return
	}
	in := map[*jsontree.Value]map[string]string{}
	for _, r := range l.c.tree.Faults {
		if in[r.In] == nil {
			in[r.In] = map[string]string{}
		}
		in[r.In][r.Name] = r.Err.Msg
		if r.Twice {
			in[r.In][r.Name] += ": keep one"
		}
	}
	at := map[string]string{}
	eachMember(l.c.tree.Root, "", func(holder *jsontree.Value, m jsontree.Member, pointer string) {
		if msg, known := in[holder][m.Name]; known {
			at[pointer] = msg
		}
	})
	eachMember(l.root, "", func(_ *jsontree.Value, m jsontree.Member, pointer string) {
		from := pointer
		if l.c.origin != nil {
			from = l.c.origin(pointer)
		}
		if msg, known := at[from]; known {
			l.faults.add(m.Value, bad(pointer, "%s", msg))
		}
	})
}

// eachMember calls a function for each member below a value, with its pointer.
func eachMember(v *jsontree.Value, at string, f func(holder *jsontree.Value, m jsontree.Member, pointer string)) {
	for i, item := range v.Items {
		eachMember(item, at+"/"+strconv.Itoa(i), f)
	}
	for _, m := range v.Members {
		below := at + "/" + jsontree.EscapePointer(m.Name)
		f(v, m, below)
		eachMember(m.Value, below, f)
	}
}

// usualDepth is how deep inside a body the numbers of examples are looked for.
const usualDepth = 4

// usualNumbers returns, for the numbers of a body by their path, the smallest whole number
// above zero that an example in the document has. A payment may not be larger than the
// debt, say, and no schema tells: numbers up to that of an example are the likeliest to be
// accepted. Keys are left out, because the target may take each only once. An asterisk in a
// path stands for the items of an array.
func (l *loader) usualNumbers(media *jsontree.Value, s *schema.Schema) map[string]*big.Int {
	out := usual{}
	for _, example := range l.c.given(media) {
		out.add("", example)
	}
	l.usualBelow(out, "", s, 0)
	return out
}

// usualBelow adds the numbers in the examples of the schemas inside a schema.
func (l *loader) usualBelow(u usual, path string, s *schema.Schema, depth int) {
	if s == nil || depth > usualDepth {
		return
	}
	for _, p := range s.Properties {
		at := path + "/" + jsontree.EscapePointer(p.Name)
		if p.Schema.Pointer != "" {
			for _, one := range l.c.given(l.c.follow(l.root.At(p.Schema.Pointer))) {
				u.add(at, one)
			}
		}
		l.usualBelow(u, at, p.Schema, depth+1)
	}
	l.usualBelow(u, path+"/*", s.Items, depth+1)
}

type usual map[string]*big.Int

// add adds the numbers of an example at a path.
func (u usual) add(path string, v *jsontree.Value) {
	switch v.Kind {
	case jsontree.Object:
		for _, m := range v.Members {
			u.add(path+"/"+jsontree.EscapePointer(m.Name), m.Value)
		}
	case jsontree.Array:
		for _, item := range v.Items {
			u.add(path+"/*", item)
		}
	case jsontree.Number:
		r, ok := jsontree.Rat(v.Text)
		if ok && r.IsInt() && r.Sign() > 0 && !hints.KeyAt(path) && (u[path] == nil || r.Num().Cmp(u[path]) < 0) {
			u[path] = r.Num()
		}
	}
}
