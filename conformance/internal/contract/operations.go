package contract

import (
	"fmt"
	"mime"
	"strings"
	"unicode"

	"plantstore/conformance/internal/jsontree"
)

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// operations collects what can be tested, and names what cannot.
func (l *loader) operations() {
	l.each(func(path, method, item, pointer string) {
		if err := l.operation(path, method, item, pointer); err != nil {
			l.omitFor(method+" "+path, err)
		}
	})
}

func (l *loader) operation(path, method, item, pointer string) error {
	name := method + " " + path
	if l.crowded[name] {
		l.omit(name, "", fmt.Sprintf("not tried: a run has room for %d operations: judge a document with fewer", mostOperations))
		return nil
	}
	if why := badPath(path); why != "" {
		return bad("/paths/"+jsontree.EscapePointer(path), "path %s %s", shown(path), why)
	}
	for _, at := range []string{item, pointer} {
		if one := l.faults.at[l.root.At(at)]; one != nil {
			return one
		}
	}
	if why := l.untestable(path, method, item, pointer); why != "" {
		l.omit(name, "", why)
		return nil
	}
	for _, at := range []string{item + "/parameters", pointer} {
		if err := l.unusable(at); err != nil {
			return err
		}
	}
	op := &Operation{Slug: l.slugs.Take(Slug(strings.ToLower(method) + "-" + path)), Method: method, Path: path, Pointer: pointer}
	var err error
	if op.Body, err = l.body(name, pointer); err != nil {
		return err
	}
	if op.Body == nil && l.root.At(pointer+"/requestBody") != nil {
		return nil
	}
	if op.Responses, err = l.responses(name, pointer); err != nil {
		return err
	}
	if ok, err := l.security(name, op); err != nil || !ok {
		return err
	}
	l.c.Operations = append(l.c.Operations, op)
	return nil
}

// untestable returns why an operation is left out, or an empty string.
func (l *loader) untestable(path, method, item, pointer string) string {
	if why := unsupported(path, method); why != "" {
		return why
	}
	for _, base := range []string{item, pointer} {
		list := l.root.At(base + "/parameters")
		if list == nil {
			continue
		}
		for i := range list.Items {
			_, p := l.resolve(base + "/parameters/" + itoa(i))
			if r := p.Get("required"); r != nil && r.Bool {
				return "required " + text(p, "/in") + " parameter " + text(p, "/name") + " is not supported yet"
			}
			l.leaveOut("%s %s: %s parameter %s is never sent", method, path, text(p, "/in"), text(p, "/name"))
		}
	}
	return ""
}

// unsupported returns why path and method alone rule out an operation.
func unsupported(path, method string) string {
	switch strings.ToUpper(method) {
	case "TRACE", "HEAD", "OPTIONS":
		return "method " + strings.ToUpper(method) + " is not supported"
	}
	if strings.Contains(path, "{") {
		return "path parameters are not supported yet"
	}
	return ""
}

// body reads the JSON request body. It returns nil and adds a note if there is
// none.
func (l *loader) body(name, operation string) (*Body, error) {
	pointer, v := l.resolve(operation + "/requestBody")
	if v == nil {
		return nil, nil
	}
	b := &Body{}
	if r := v.Get("required"); r != nil {
		b.Required = r.Bool
	}
	content := v.Get("content")
	if one := l.faults.at[content]; one != nil {
		return nil, one
	}
	if content == nil || len(content.Members) == 0 {
		return nil, bad(pointer, "request body without content: add a media type")
	}
	for _, m := range content.Members {
		if strings.ContainsFunc(m.Name, unicode.IsControl) {
			return nil, bad(pointer+"/content", "media type %s contains a control character: fix it", shown(m.Name))
		}
		if one := l.faults.at[m.Value]; one != nil {
			return nil, one
		}
		if b.Shape != nil || !isJSON(m.Name) {
			l.leaveOut("%s: request media type %s is never sent", name, m.Name)
			continue
		}
		b.Media, b.Pointer = m.Name, pointer+"/content/"+jsontree.EscapePointer(m.Name)
		s, err := l.shape(Requests, b.Pointer+"/schema")
		if err != nil {
			return nil, err
		}
		if s == nil {
			l.leaveOut("%s: request media type %s has no schema", name, m.Name)
			return nil, nil
		}
		b.Shape = s
	}
	if b.Shape == nil {
		l.leaveOut("%s: no JSON request body", name)
		return nil, nil
	}
	return b, nil
}

func isJSON(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && (t == "application/json" || strings.HasSuffix(t, "+json"))
}
