package contract

import (
	"mime"
	"strings"
	"unicode"

	"plantstore/conformance/internal/jsontree"
)

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// operations collects what can be tested, and names what cannot.
func (l *loader) operations() error {
	var err error
	l.each(func(path, method, item, pointer string) {
		if err == nil {
			err = l.operation(path, method, item, pointer)
		}
	})
	return err
}

func (l *loader) operation(path, method, item, pointer string) error {
	name := method + " " + path
	if l.crowded[name] {
		l.leaveOut("%s: not tried: a run has room for %d operations: judge a document with fewer", name, mostOperations)
		return nil
	}
	if why := l.untestable(path, method, item, pointer); why != "" {
		l.leaveOut("%s: %s", name, why)
		return nil
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
	if content == nil || len(content.Members) == 0 {
		return nil, l.fail(pointer, "request body without content: add a media type")
	}
	for _, m := range content.Members {
		if strings.ContainsFunc(m.Name, unicode.IsControl) {
			return nil, l.fail(pointer+"/content", "media type %s contains a control character: fix it", shown(m.Name))
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

func (l *loader) responses(name, operation string) ([]*Response, error) {
	v := l.root.At(operation + "/responses")
	if v == nil || len(v.Members) == 0 {
		return nil, l.fail(operation, "%s documents no response: add at least one", name)
	}
	var out []*Response
	for _, m := range v.Members {
		if strings.HasPrefix(m.Name, "x-") {
			continue
		}
		at := operation + "/responses/" + jsontree.EscapePointer(m.Name)
		status := strings.ToUpper(m.Name)
		if m.Name == "default" {
			status = m.Name
		} else if !validStatus(status) {
			return nil, l.fail(at, "status %q: want three digits, 2XX or default", m.Name)
		}
		pointer, r := l.resolve(at)
		resp := &Response{Status: status, Pointer: pointer}
		if content := r.Get("content"); content != nil {
			for _, media := range content.Members {
				mp := pointer + "/content/" + jsontree.EscapePointer(media.Name)
				one := Media{Type: media.Name, Pointer: mp}
				if isJSON(media.Name) {
					s, err := l.shape(Answers, mp+"/schema")
					if err != nil {
						return nil, err
					}
					one.Shape = s
				} else {
					l.leaveOut("%s: bodies of %s answers are not judged", name, media.Name)
				}
				resp.Media = append(resp.Media, one)
			}
		}
		out = append(out, resp)
	}
	return out, nil
}

func validStatus(s string) bool {
	return len(s) == 3 && s[0] >= '1' && s[0] <= '5' &&
		(s[1:] == "XX" || s[1] >= '0' && s[1] <= '9' && s[2] >= '0' && s[2] <= '9')
}

func isJSON(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && (t == "application/json" || strings.HasSuffix(t, "+json"))
}
