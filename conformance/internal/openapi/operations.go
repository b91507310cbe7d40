package openapi

import (
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
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
	l.hints(op, pointer)
	if ok, err := l.security(name, op); err != nil || !ok {
		return err
	}
	if op.Body != nil {
		op.Further = l.narrow(op)
	}
	op.Further = append(l.further(op, bodies), op.Further...)
	l.c.Operations = append(l.c.Operations, op)
	return nil
}

// newOperation returns an operation with its names.
func (l *loader) newOperation(path, method, pointer string) *Operation {
	op := &Operation{Slug: Slug(strings.ToLower(method) + "-" + path), Method: method, Path: path, Pointer: pointer}
	op.ID = text(l.root.At(pointer), "/operationId")
	if tags := l.root.At(pointer + "/tags"); tags != nil {
		op.Tags = texts(tags)
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
