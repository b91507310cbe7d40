package openapi

import (
	"mime"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
)

// responses reads the documented answers of an operation.
func (l *loader) responses(name, operation string) ([]*Response, error) {
	v := l.root.At(operation + "/responses")
	if v == nil || len(v.Members) == 0 {
		l.leaveOut("%s: documents no response, so that any success and any refusal is one", name)
		return nil, nil
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
			return nil, bad(at, "status %q: want three digits, 2XX or default", jsontree.Cut(m.Name, 200))
		}
		pointer, r := l.resolve(at)
		resp := &Response{Status: status, Pointer: pointer}
		if content := r.Get("content"); content != nil {
			if one := l.faults.at[content]; one != nil {
				return nil, one
			}
			for _, media := range content.Members {
				mp, object := l.resolve(pointer + "/content/" + jsontree.EscapePointer(media.Name))
				one := Media{Type: media.Name, Pointer: mp}
				switch s, err := l.answer(media, mp); {
				case err == nil && l.itemized(media.Name, object):
					if err := l.items(&one, mp); err != nil {
						l.skip(name+": bodies of "+shown(media.Name)+" answers with status "+status+" are not judged", err)
					}
				case err != nil:
					l.skip(name+": bodies of "+shown(media.Name)+" answers with status "+status+" are not judged", err)
				case s != nil || one.JSON():
					one.Shape, one.Encoding = s, l.encoding(mp+"/encoding")
				case one.XML():
					l.leaveOut("%s: of %s answers it is judged alone whether they are well-formed", name, media.Name)
				default:
					l.leaveOut("%s: bodies of %s answers are not judged", name, media.Name)
				}
				if exchange.Streams(media.Name) {
					l.leaveOut("%s: of %s answers with status %s that do not end, the head and what comes first are judged", name, shown(media.Name), status)
				}
				if object.Get("itemSchema") != nil && !one.Items {
					l.leaveOut("%s: the items of %s answers with status %s are not judged: itemSchema is read for streams, and without a schema beside it", name, shown(media.Name), status)
				}
				resp.Media = append(resp.Media, one)
			}
		}
		resp.Headers = l.headers(name, pointer)
		out = append(out, resp)
	}
	return out, nil
}

// answer returns the shape of an answer of one media type, or nil if it has none.
func (l *loader) answer(media jsontree.Member, pointer string) (*Shape, error) {
	if one := l.faults.at[media.Value]; one != nil {
		return nil, one
	}
	if one := (&Media{Type: media.Name}); !one.JSON() && !isForm(media.Name) && !isText(media.Name) {
		return nil, nil
	}
	s, err := l.shape(Answers, pointer+"/schema")
	if err == nil && s != nil && isText(media.Name) && !slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Schema.Type()) {
		return nil, nil // a text is one value, and has no structure that all readers know
	}
	return s, err
}

// isForm reports whether a body has named values.
func isForm(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && (t == "application/x-www-form-urlencoded" || t == "multipart/form-data")
}

// isText reports whether a body is a text without a structure of its own.
func isText(media string) bool {
	t, _, err := mime.ParseMediaType(media)
	return err == nil && strings.HasPrefix(t, "text/") && !strings.Contains(t, "xml") && !strings.Contains(t, "json") && !strings.Contains(t, "yaml")
}

func validStatus(s string) bool {
	return len(s) == 3 && s[0] >= '1' && s[0] <= '5' &&
		(s[1:] == "XX" || s[1] >= '0' && s[1] <= '9' && s[2] >= '0' && s[2] <= '9')
}
