package contract

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// responses reads the documented answers of an operation.
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
