package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// operations collects what can be tested, and names what cannot.
func (l *loader) operations() {
	l.each(func(path, method, item, pointer string) {
		l.reading = l.newOperation(path, method, pointer)
		if err := l.operation(path, method, item, pointer); err != nil {
			l.omitFor(err)
		}
	})
	l.unknown()
}

// unknown names the paths of which no operation is known, because a reference leads
// nowhere.
func (l *loader) unknown() {
	paths := l.root.Get("paths")
	if paths == nil {
		return
	}
	for _, p := range paths.Members {
		if strings.HasPrefix(p.Name, "x-") {
			continue
		}
		names, _ := l.methodsOf(p.Value)
		if one := l.faults.at[p.Value]; one != nil && len(names) == 0 {
			l.reading = &Operation{Method: "every operation of", Path: p.Name}
			l.omitFor(one)
		}
	}
}

func (l *loader) operation(path, method, item, pointer string) error {
	name := method + " " + path
	if !exchange.IsToken(method) {
		return bad(pointer, "%s is not a method (RFC 9110, 9.1): use letters", shown(method))
	}
	// A fragment is never sent (RFC 9110, 7.1); some documents tell operations apart by
	// it.
	sent, _, _ := strings.Cut(path, "#")
	if why := badPath(sent); why != "" {
		return bad("/paths/"+jsontree.EscapePointer(path), "path %s %s", shown(path), why)
	}
	for _, at := range []string{item, pointer} {
		if one := l.faults.at[l.root.At(at)]; one != nil {
			return one
		}
	}
	if why := unsupported(method); why != "" {
		l.omit(why)
		return nil
	}
	if why := l.elsewhere(item, pointer); why != "" {
		l.omit(why)
		return nil
	}
	for _, at := range []string{item + "/parameters", pointer} {
		if err := l.unusable(at); err != nil {
			return err
		}
	}
	given := l.inputs[name]
	for _, what := range given.left {
		l.leaveOut("%s: %s", name, what)
	}
	if given.err != nil {
		return given.err
	}
	op := l.newOperation(path, method, pointer)
	op.Slug, op.Path, op.Nearer = l.slugs.Take(op.Slug), sent, l.nearer(sent)
	l.aside = l.scarce && !l.tested(path, method, pointer)
	var err error
	if err = l.parameters(op, name, given.list); err != nil {
		return err
	}
	bodies, err := l.bodies(name, pointer)
	if err != nil {
		return err
	}
	if len(bodies) > 0 {
		op.Body, op.media = bodies[0], l.requestMedia(pointer)
	} else if l.root.At(pointer+"/requestBody") != nil {
		return nil
	}
	if op.Responses, err = l.responses(name, pointer); err != nil {
		return err
	}
	op.wanted, op.Fault = op.Wanted(), l.reading.Fault
	l.hints(op, pointer)
	if ok, err := l.security(name, op); err != nil || !ok {
		return err
	}
	if op.Body != nil {
		op.Additional = l.narrow(op)
	}
	op.Additional = append(l.additional(op, bodies), op.Additional...)
	l.c.Operations = append(l.c.Operations, op)
	return nil
}

// newOperation returns an operation with its names.
func (l *loader) newOperation(path, method, pointer string) *Operation {
	op := &Operation{Slug: Slug(strings.ToLower(method) + "-" + path), Method: method, Path: path, Pointer: pointer}
	op.ID = l.root.At(pointer).TextAt("/operationId")
	if tags := l.root.At(pointer + "/tags"); tags != nil {
		op.Tags = tags.Texts()
	}
	return op
}

// unsupported returns why the method alone rules out an operation.
func unsupported(method string) string {
	switch strings.ToUpper(method) {
	case "TRACE", "CONNECT":
		return "method " + strings.ToUpper(method) + " is not supported"
	}
	return ""
}

// Sections are the places of parameters, in the order in which a request is
// written.
func Sections() []string { return []string{"path", "query", "header", "cookie"} }

// inputs is a member that the document gets in memory: a schema of all parameters for
// each operation that has some, so that parameters are judged like members of a body.
// It refers to the schemas of the document.
const inputs = "x-conformance-inputs"

// given is what the document says of an operation's parameters.
type given struct {
	list []*Parameter
	left []string // what is never sent
	err  error    // why the operation cannot be tried
}

// readInputs reads the parameters of every operation and adds their schemas to the
// document in memory. The document of the user stays as it is.
func (l *loader) readInputs() {
	l.inputs = map[string]given{}
	schemas := jsontree.NewObject()
	l.each(func(path, method, item, pointer string) {
		var g given
		g.list, g.left, g.err = l.parametersOf(path, item, pointer)
		name := method + " " + path
		l.inputs[name] = g
		if g.err == nil && len(g.list) > 0 {
			schemas.Members = append(schemas.Members, jsontree.M(name, l.describe(g.list)))
		}
		schemas.Members = append(schemas.Members, l.parts(pointer)...)
	})
	schemas.Members = append(schemas.Members, jsontree.M(anything, jsontree.NewObject()))
	l.root = l.root.Shallow()
	l.root.Members = append(l.root.Members, jsontree.M(inputs, schemas))
}

// anything is the name of a schema without keywords, for bodies that have none.
const anything = "anything"

// parameters gives an operation its parameters and the shape of all of them.
func (l *loader) parameters(op *Operation, name string, list []*Parameter) error {
	if op.Parameters = list; len(list) == 0 {
		return nil
	}
	shape, err := l.shape(schema.Requests, "/"+inputs+"/"+jsontree.EscapePointer(name))
	if err != nil {
		return err
	}
	op.Params, op.Parameters = shape, nil
	for _, p := range list {
		var q *schema.Property
		if section := shape.Schema.Property(p.In); section != nil {
			q = section.Schema.Property(p.Name)
		}
		if q == nil {
			l.leaveOut("%s: %s parameter %s is never sent: the operation has too many", name, p.In, shown(p.Name))
			continue
		}
		op.Parameters = append(op.Parameters, p)
		q.Need, q.Schema.Pointer = p.Pointer+"/required", p.Pointer
		if p.Schema = q.Schema; l.root.At(p.schemaOf()) != nil {
			p.Schema.Pointer = p.schemaOf()
		}
		if strings.HasSuffix(p.schemaOf(), "/"+p.Schema.Name) {
			p.Schema.Name = "" // the last part of a pointer to a parameter, not a component
		}
	}
	return nil
}

// parametersOf reads the parameters of an operation: its own, and those of its path
// item that it does not replace (OpenAPI 3.1, 4.8.9). The error says why the
// operation cannot be tried; left names parameters that are never sent.
func (l *loader) parametersOf(path, item, operation string) (list []*Parameter, left []string, err error) {
	at := map[string]int{}
	for _, base := range []string{item, operation} {
		given := l.root.At(base + "/parameters")
		if given == nil {
			continue
		}
		for i := range given.Items {
			p, err := l.parameter(base + "/parameters/" + strconv.Itoa(i))
			if err != nil {
				return nil, nil, err
			}
			if p == nil || ignored(p) {
				continue
			}
			if p.In == "header" && OwnHeader(p.Name) {
				left = append(left, fmt.Sprintf("header parameter %s is the suite's own field: nothing else is tried there (%s)", shown(p.Name), p.Pointer))
				continue
			}
			if l.isKey(operation, p) {
				left = append(left, fmt.Sprintf("%s parameter %s is sent as a credential alone (%s)", p.In, shown(p.Name), p.Pointer))
				continue
			}
			if why := unsendable(p); why != "" {
				if p.Required {
					return nil, nil, bad(p.Pointer, "required %s parameter %s %s", p.In, shown(p.Name), why)
				}
				left = append(left, fmt.Sprintf("%s parameter %s is never sent: it %s (%s)", p.In, shown(p.Name), why, l.c.Clause(p.Pointer)))
				continue
			}
			key := p.In + " " + p.Name
			if n, known := at[key]; known {
				list[n] = p
				continue
			}
			at[key] = len(list)
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *Parameter) int {
		return cmp.Compare(slices.Index(Sections(), a.In), slices.Index(Sections(), b.In))
	})
	return l.fitting(path, operation, list, left)
}

// fitting keeps the path parameters that the template names. One that nobody
// describes is any text.
func (l *loader) fitting(path, operation string, list []*Parameter, left []string) ([]*Parameter, []string, error) {
	names := Expressions(path)
	list = slices.DeleteFunc(list, func(p *Parameter) bool {
		spare := p.In == "path" && !slices.Contains(names, p.Name)
		if spare {
			left = append(left, fmt.Sprintf("path parameter %s is never sent: the path does not name it (%s)", shown(p.Name), l.c.Clause(p.Pointer)))
		}
		return spare
	})
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, nil, bad(operation, "the path names %s twice", shown(name))
		}
		if !slices.ContainsFunc(list, func(p *Parameter) bool { return p.In == "path" && p.Name == name }) {
			list = slices.Insert(list, 0, &Parameter{Name: name, In: "path", Pointer: operation, Required: true, Style: "simple"})
			left = append(left, fmt.Sprintf("path parameter %s is not described: any text is sent (%s)", shown(name), l.c.Clause(operation)))
		}
	}
	return list, left, nil
}

// Expressions returns the names in the braces of a path template, in order.
func Expressions(path string) []string {
	var out []string
	for {
		_, rest, found := strings.Cut(path, "{")
		name, behind, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return out
		}
		out, path = append(out, name), behind
	}
}

// PathPlace returns the place of the parameter that an expression of a path stands for:
// "path/userId".
func PathPlace(expression string) string { return "path/" + jsontree.EscapePointer(expression) }

// parameter reads one parameter object. It returns nil for an unreadable one that
// nothing needs.
func (l *loader) parameter(at string) (*Parameter, error) {
	pointer, v := l.resolve(at)
	if v == nil || v.Kind != jsontree.Object {
		return nil, bad(at, "a parameter that leads nowhere")
	}
	p := &Parameter{Name: v.TextAt("/name"), In: v.TextAt("/in"), Pointer: pointer, Says: prose(v), Style: v.TextAt("/style"), AllowReserved: isTrue(v.Get("allowReserved"))}
	p.Required = p.In == "path" || isTrue(v.Get("required"))
	if p.Style == "" {
		p.Style = "form"
		if p.In == "path" || p.In == "header" {
			p.Style = "simple"
		}
	}
	p.Explode = p.Style == "form" || p.Style == "cookie"
	if e := v.Get("explode"); e != nil && e.Kind == jsontree.Bool {
		p.Explode = e.Bool
	}
	if content := v.Get("content"); content != nil && len(content.Members) > 0 && v.Get("schema") == nil {
		p.Media = content.Members[0].Name
	}
	return p, nil
}

// schemaOf returns the pointer of a parameter's schema; it need not exist.
func (p *Parameter) schemaOf() string {
	if p.Media != "" {
		return p.Pointer + "/content/" + jsontree.EscapePointer(p.Media) + "/schema"
	}
	return p.Pointer + "/schema"
}

// ignored reports whether OpenAPI gives a header parameter no meaning, because other
// parts of the document describe it (OpenAPI 3.1, 4.8.12.1).
func ignored(p *Parameter) bool {
	return p.In == "header" && oneField(p.Name, "Accept", "Content-Type", "Authorization")
}

var stylesOf = map[string][]string{
	"path":   {"simple", "label", "matrix"},
	"query":  {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
	"header": {"simple"},
	"cookie": {"form", "cookie"},
}

// unsendable returns why a parameter cannot be sent, or an empty string.
func unsendable(p *Parameter) string {
	switch {
	case p.Name == "":
		return "has no name"
	case stylesOf[p.In] == nil:
		return "is in " + shown(cmp.Or(p.In, "nothing"))
	case p.Media == "" && !slices.Contains(stylesOf[p.In], p.Style):
		return "has style " + shown(p.Style) + ", which its place does not have"
	case p.In == "header" && !exchange.IsToken(p.Name), p.In == "cookie" && !exchange.IsToken(p.Name):
		return "has a name that cannot be sent (RFC 9110, 5.6.2)"
	}
	return ""
}

// describe returns a schema of all parameters of an operation. It refers to those of
// the document.
func (l *loader) describe(list []*Parameter) *jsontree.Value {
	whole := jsontree.NewObject()
	var sections []*jsontree.Value
	for _, in := range Sections() {
		section, required := jsontree.NewObject(), jsontree.NewArray()
		for _, p := range list {
			if p.In != in {
				continue
			}
			schema := jsontree.NewObject()
			if at := p.schemaOf(); l.root.At(at) != nil {
				schema.Set("$ref", jsontree.NewString("#"+jsontree.Fragment(at)))
			}
			section.Set(p.Name, schema)
			if p.Required {
				required.Items = append(required.Items, jsontree.NewString(p.Name))
			}
		}
		if len(section.Members) == 0 {
			continue
		}
		whole.Set(in, jsontree.NewObject(jsontree.M("type", jsontree.NewString("object")), jsontree.M("properties", section), jsontree.M("required", required)))
		sections = append(sections, jsontree.NewString(in))
	}
	return jsontree.NewObject(jsontree.M("type", jsontree.NewString("object")), jsontree.M("properties", whole), jsontree.M("required", jsontree.NewArray(sections...)))
}
