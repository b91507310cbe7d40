package openapi

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// codedDepth is how deep inside a request members with codes are looked for.
const codedDepth = 8

// codes notes which texts of requests have a kind that no keyword states, such as a currency
// code.
func (c *Contract) codes() {
	known := hints.NewCatalogue()
	for _, op := range c.Rows() {
		around := prose(c.root.At(op.Pointer))
		if op.Body != nil && op.Body.Shape != nil {
			co := coder{c: c, known: known, op: op, shape: op.Body.Shape, around: around, seen: map[*schema.Schema]bool{}}
			co.below("", op.Body.Shape.Schema, 0)
		}
		if op.Params == nil {
			continue
		}
		for _, p := range op.Parameters {
			section := op.Params.Schema.Property(p.In)
			if section == nil || section.Schema.Property(p.Name) == nil || hints.RefersAt(p.In, p.Name) != "" {
				continue
			}
			co := coder{c: c, known: known, op: op, shape: op.Params, around: around, prose: p.Says}
			member := section.Schema.Property(p.Name)
			member.Schema = co.coded(p.Name, p.In+"/"+jsontree.EscapePointer(p.Name), member.Schema)
		}
	}
}

// coder looks for the kinds of the texts of one body or parameter.
type coder struct {
	c     *Contract
	known *hints.Catalogue
	op    *Operation
	shape *schema.Shape
	// around is what the document says of the operation, and prose of the parameter.
	around, prose string
	seen          map[*schema.Schema]bool
}

// below looks at the members below a place of a body.
func (co *coder) below(path string, s *schema.Schema, depth int) {
	if s == nil || depth > codedDepth || co.seen[s] {
		return
	}
	co.seen[s] = true
	for _, p := range s.Properties {
		at := path + "/" + jsontree.EscapePointer(p.Name)
		p.Schema = co.coded(p.Name, at, p.Schema)
		if p.Schema.Items != nil {
			p.Schema.Items = co.coded(p.Name, at+"/*", p.Schema.Items)
		}
		co.below(at, p.Schema, depth+1)
	}
	s.Sequences = co.sequences(path, s)
	co.below(path+"/*", s.Items, depth+1)
	for _, list := range [][]*schema.Schema{s.OneOf, s.AnyOf, s.Prefix} {
		for _, one := range list {
			co.below(path, one, depth+1)
		}
	}
}

// coded returns the schema of a place with the kind of its texts, if there is one: a copy,
// because places of other names may have the same schema.
func (co *coder) coded(name, path string, s *schema.Schema) *schema.Schema {
	switch {
	case s == nil || hints.IsKey(name) || hints.Refers(name) != "" || hints.TakenOnce(name):
		return s
	case len(s.AnyOf)+len(s.OneOf) > 0:
		return co.alternatives(name, path, s)
	case s.Type() != "string" || s.Enum != nil || s.Const != nil || !slices.Contains(codedFormats(), s.Format) || s.ReadOnly || s.Never || s.Drawn() != nil:
		return s
	}
	h := hints.CodeHints{Name: name, Around: co.around, Format: strings.TrimPrefix(s.Format, "password"), Pattern: s.Pattern != "", Short: s.MaxLength != nil && *s.MaxLength <= shortText,
		Accepts: func(text string) bool { return co.shape.Matches(s, jsontree.NewString(text)) }}
	for _, v := range co.c.Examples(co.op, Member{&schema.Property{Name: name, Schema: s}, path}) {
		if v.Kind == jsontree.String && !slices.Contains(h.Examples, v.Text) {
			h.Examples = append(h.Examples, v.Text)
		}
	}
	h.Prose = strings.TrimSpace(co.prose + " " + co.said(s))
	if v := co.at(s); co.c.follow(v) != v {
		h.Prose += " " + prose(co.c.follow(v))
	}
	own, plain := *s, h
	plain.Prose, plain.Around = "", ""
	own.Code, own.Past = co.known.Of(plain), s.Format != "" && hints.Past(name)
	if told := co.known.Of(h); told.String() != own.Code.String() {
		own.Told = told
	}
	if own.Drawn() == nil && !own.Past {
		return s
	}
	return &own
}

// alternatives is coded for a schema with alternatives, such as a text or null.
func (co *coder) alternatives(name, path string, s *schema.Schema) *schema.Schema {
	within := *co
	within.prose = strings.TrimSpace(co.prose + " " + co.said(s))
	own, changed := *s, false
	for _, list := range []*[]*schema.Schema{&own.AnyOf, &own.OneOf} {
		*list = slices.Clone(*list)
		for i, one := range *list {
			(*list)[i] = within.coded(name, path, one)
			changed = changed || (*list)[i] != one
		}
	}
	if !changed {
		return s
	}
	return &own
}

// at returns where the document has a schema, or nil.
func (co *coder) at(s *schema.Schema) *jsontree.Value {
	if s.Pointer == "" {
		return nil
	}
	return co.c.root.At(s.Pointer)
}

// said is what the document says of a schema.
func (co *coder) said(s *schema.Schema) string { return prose(co.at(s)) }

// codedFormats are the formats whose texts may also be of a kind.
func codedFormats() []string { return []string{"", "password", "date", "date-time"} }

// shortText is the length up to which texts are as short as codes.
const shortText = 12

// prose is the title or summary and the description of a schema, a parameter or an operation.
func prose(v *jsontree.Value) string {
	var out []string
	for _, name := range []string{"title", "summary", "description"} {
		if text := v.Get(name); text != nil && text.Kind == jsontree.String {
			out = append(out, text.Text)
		}
	}
	return strings.Join(out, " ")
}

// hints notes what descriptions and summaries say of an operation.
func (l *loader) hints(op *Operation, pointer string) {
	said := l.texts(pointer)
	switch op.Method {
	case http.MethodGet:
		op.NewestFirst = hints.NewestFirst(said)
	case http.MethodPost:
		op.Enlists = hints.Listed(said)
	case http.MethodDelete:
		op.Unlists = hints.Unlisted(said)
	}
	op.TellsGone, op.Bound = hints.Gone(l.texts(pointer+"/responses/410")), l.stateBound(op, pointer)
	if op.Body != nil && op.Body.Shape != nil {
		body, _, _ := strings.Cut(op.Body.Pointer, "/content/")
		op.Partial, op.Whole = l.rest(op, pointer, body)
		if op.Method == http.MethodPatch && op.Whole == nil {
			op.Keeps = hints.KeepsRest(l.texts(pointer, body, op.Body.Shape.Schema.Pointer))
		}
	}
	if op.Method == http.MethodPut && op.Partial == nil {
		op.Replaces = hints.ReplacesAll([]hints.Text{{Place: pointer + "/description", Said: l.root.TextAt(pointer + "/description")}})
	}
}

// texts returns the descriptions and summaries of some places.
func (l *loader) texts(places ...string) []hints.Text {
	var out []hints.Text
	for _, at := range places {
		v := l.root.At(at)
		if at != "" && v.Get("$ref") != nil {
			at, v = l.resolve(at)
		}
		for _, name := range []string{"/description", "/summary"} {
			if said := v.TextAt(name); said != "" {
				out = append(out, hints.Text{Place: at + name, Said: said})
			}
		}
	}
	return out
}

// rest returns what the document says of what becomes of members that a request of the operation
// leaves out: that they may stay, or that they do not.
func (l *loader) rest(op *Operation, pointer, body string) (may, not *report.Evidence) {
	said := func(at string) hints.Text {
		v := l.root.At(at)
		return hints.Text{Place: at, Said: v.TextAt("/summary") + ". " + v.TextAt("/description")}
	}
	var names []string
	members := []hints.Text{said(op.Body.Shape.Schema.Pointer)}
	for _, p := range op.Body.Shape.Schema.Properties {
		names, members = append(names, p.Name), append(members, said(p.Schema.Pointer))
	}
	return hints.Rest([]hints.Text{said(pointer), said(body)}, members, names)
}

// Droppable lists the members of a body that a request may leave out, and of which a server
// that stores the body as the whole of a resource then keeps nothing: members without a
// default that name no other thing and that the server does not make. All lists those with a
// default too.
func (o *Operation) Droppable(all bool) []*schema.Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*schema.Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s, at := p.Schema, "/"+p.Name
		switch {
		case p.Required || s.ReadOnly || s.WriteOnly || s.Never || s.Default != nil && !all || s.Const != nil || len(s.Enum) > 0 || s.Type() == "boolean":
		case s.Items != nil && len(s.Items.Enum) > 0, hints.Refers(p.Name) != "" || hints.IsKey(p.Name) || o.Same[at] != "", o.binds(at):
		default:
			out = append(out, p)
		}
	}
	return out
}

// binds reports whether a member has to name something that exists.
func (o *Operation) binds(at string) bool {
	for _, path := range o.Bind {
		if path == at || strings.HasPrefix(path, at+"/") {
			return true
		}
	}
	return false
}

// sequences finds the pairs of members of an object that are in order, as the descriptions of
// the members and, for the body itself, of the operation say.
func (co *coder) sequences(path string, s *schema.Schema) [][2]string {
	var out [][2]string
	whole := ""
	if path == "" {
		whole = co.around
	}
	for _, p := range s.Properties {
		if !schema.Ranked(p.Schema) {
			continue
		}
		own := co.said(p.Schema)
		for _, q := range s.Properties {
			if q == p || !schema.Alike(p.Schema, q.Schema) || !strings.Contains(own+whole, q.Name) {
				continue
			}
			switch {
			case hints.Later(own, whole, p.Name, q.Name):
				out = append(out, [2]string{q.Name, p.Name})
			case hints.Earlier(own, whole, p.Name, q.Name):
				out = append(out, [2]string{p.Name, q.Name})
			}
		}
	}
	return out
}
