package openapi

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Origin is the exchange of another operation that a value of a request comes from.
type Origin struct {
	Place string // "path/id", "/owner"
	From  *Operation
	// What is the part of the exchange: "/id", "Location", "request/name",
	// "request.query/name".
	What string
	// Link is the pointer of the link that says so; it is empty if the user does.
	Link string
	// Optional reports whether a request may do without the value.
	Optional bool
}

// Makes reports whether the exchange may have made what the value names: an item of a list
// was there before, and so was what a request names.
func (o Origin) Makes() bool {
	created := slices.ContainsFunc(o.From.Documented(2), func(r *Response) bool { return r.Status == "201" || r.Status == "202" })
	return o.From.Method == http.MethodPost && (created || o.Link == "") && !strings.HasPrefix(o.What, "request") && !inList.MatchString(o.What)
}

// inList matches a pointer to something in a list.
var inList = regexp.MustCompile(`/(-|[0-9]+)(/|$)`)

// links names in Operation.Origins what the links of documented successes give (OpenAPI
// 3.1, 4.8.20).
func (c *Contract) links() {
	named, at := map[string]*Operation{}, map[string]*Operation{}
	for _, op := range c.Operations {
		named[op.ID], at[op.Pointer] = op, op
	}
	delete(named, "")
	for _, from := range c.Operations {
		for _, r := range from.Responses {
			list := c.root.At(r.Pointer + "/links")
			if list == nil || r.Status[0] == '4' || r.Status[0] == '5' {
				continue
			}
			for _, m := range list.Members {
				link := c.follow(m.Value)
				to := named[link.TextAt("/operationId")]
				if ref := link.TextAt("/operationRef"); to == nil && strings.HasPrefix(ref, "#/") {
					to = at[jsontree.FromFragment(ref)]
				}
				pointer := r.Pointer + "/links/" + jsontree.EscapePointer(m.Name)
				if params := link.Get("parameters"); to != nil && params != nil {
					to.linked(from, pointer, params.Members)
				}
				if body := link.Get("requestBody"); to != nil && to.Body != nil && body != nil {
					to.filled(from, pointer, "", body)
				}
			}
		}
	}
}

// linked adds the origins that a link names.
func (o *Operation) linked(from *Operation, pointer string, params []jsontree.Member) {
	for _, p := range params {
		if p.Value.Kind != jsontree.String {
			continue
		}
		what, ok := expression(p.Value.Text)
		if member := o.parameter(p.Name); ok && what != "" && what != "request" && member != nil {
			o.Origins = append(o.Origins, Origin{member.Path, from, what, pointer, !member.Required})
		}
	}
}

// filled adds the origins of members of the body that a link gives: it has an expression for a member,
// or for the whole body.
func (o *Operation) filled(from *Operation, pointer, at string, v *jsontree.Value) {
	for _, m := range v.Members {
		o.filled(from, pointer, at+"/"+jsontree.EscapePointer(m.Name), m.Value)
	}
	what, ok := expression(v.Text)
	if v.Kind != jsontree.String || !ok {
		return
	}
	for _, m := range o.Members() {
		if rest, below := strings.CutPrefix(m.Path, at); below && strings.HasPrefix(m.Path, "/") && (rest == "" || rest[0] == '/') {
			o.Origins = append(o.Origins, Origin{m.Path, from, what + rest, pointer, !m.Required})
		}
	}
}

// parameter returns the parameter that a link names, with its section or without, or nil.
func (o *Operation) parameter(name string) *Member {
	in, rest, found := strings.Cut(name, ".")
	for _, member := range o.Members() {
		section, _, _ := strings.Cut(member.Path, "/")
		if section != "" && (member.Name == name || found && section == in && member.Name == rest) {
			return &member
		}
	}
	return nil
}

// expression returns the part of an exchange that a runtime expression names (OpenAPI 3.1,
// 4.8.20.4).
func expression(text string) (what string, ok bool) {
	switch text {
	case "$response.body":
		return "", true
	case "$request.body":
		return "request", true
	}
	if rest, found := strings.CutPrefix(text, "$response.body#"); found {
		return rest, true
	}
	if rest, found := strings.CutPrefix(text, "$response.header."); found {
		return rest, true
	}
	if rest, found := strings.CutPrefix(text, "$request.body#"); found {
		return "request" + rest, true
	}
	rest, found := strings.CutPrefix(text, "$request.")
	return "request." + strings.Replace(rest, ".", "/", 1), found
}

// follow follows references inside the document.
func (c *Contract) follow(v *jsontree.Value) *jsontree.Value {
	for range 16 {
		ref := v.Get("$ref")
		if ref == nil || !strings.HasPrefix(ref.Text, "#") {
			return v
		}
		v = c.root.At(jsontree.FromFragment(ref.Text))
	}
	return v
}

// Examples returns the values that the document gives for a member of a request: what the
// examples of a whole body have there, then example, examples and default, of the parameter
// and of its schema. The enum is part of the schema.
func (c *Contract) Examples(op *Operation, m Member) []*jsontree.Value {
	var out []*jsontree.Value
	add := func(v *jsontree.Value) {
		if v != nil && len(out) < maxExamples && v.Kind != jsontree.Null {
			out = append(out, v)
		}
	}
	from := func(v *jsontree.Value) {
		for _, one := range c.given(v) {
			add(one)
		}
		add(v.Get("default"))
	}
	for _, p := range op.Parameters {
		if p.In+"/"+jsontree.EscapePointer(p.Name) == m.Path {
			at := c.root.At(p.Pointer)
			from(at)
			from(c.follow(at.Get("schema")))
			return out
		}
	}
	if op.Body != nil && (m.Path == "" || strings.HasPrefix(m.Path, "/")) {
		at := strings.ReplaceAll(m.Path, "/*", "/0")
		for _, whole := range []string{op.Body.Pointer, op.Body.Shape.Schema.Pointer} {
			for _, v := range c.given(c.follow(c.root.At(whole))) {
				add(v.At(at))
			}
		}
	}
	if m.Schema.Pointer != "" {
		from(c.follow(c.root.At(m.Schema.Pointer)))
	}
	return out
}

// given returns the values that a schema, a parameter or a media type has as example and
// examples. A schema lists them, the others give each a name.
func (c *Contract) given(v *jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	if one := v.Get("example"); one != nil {
		out = append(out, one)
	}
	list := v.Get("examples")
	if list == nil {
		return out
	}
	out = append(out, list.Items...)
	for _, m := range list.Members {
		if one := c.follow(m.Value).Get("value"); one != nil {
			out = append(out, one)
		}
	}
	return out
}

const maxExamples = 5
