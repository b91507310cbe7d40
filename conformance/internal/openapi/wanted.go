package openapi

import (
	"mime"
	"slices"
	"strings"
	"sync"
)

const usualMedia = "application/json"

// Wanted is what requests of an operation ask for with Accept.
type Wanted struct {
	// Media are the media types of the documented successes, JSON first, because it is
	// judged most closely. If none is documented, it is JSON.
	Media []string
	// Field lists them as a field value.
	Field string
}

// wanted is found once for each operation: every request and every verdict needs it.
type wanted struct {
	once sync.Once
	is   Wanted
}

// Wanted returns the media types that a request asks for.
func (o *Operation) Wanted() *Wanted {
	o.wanted.once.Do(func() {
		list := o.successMedia()
		if len(list) == 0 {
			list = []string{usualMedia}
		}
		o.wanted.is = Wanted{list, strings.Join(list, ", ")}
	})
	return &o.wanted.is
}

// Choice returns the media types that a client may choose with Accept instead of JSON: those of a
// documented success that has several. It is nil if there is none.
func (o *Operation) Choice() []string {
	for _, r := range o.Documented(2) {
		var out []string
		for _, m := range r.Media {
			if media, ok := acceptable(m.Type); ok && !slices.Contains(out, media) {
				out = append(out, media)
			}
		}
		if len(out) > 1 {
			return slices.DeleteFunc(out, func(media string) bool { return media == usualMedia })
		}
	}
	return nil
}

// successMedia lists the media types of the documented successes.
func (o *Operation) successMedia() []string {
	successes := o.Documented(2)
	if r := o.Response(200); len(successes) == 0 && r != nil {
		successes = []*Response{r}
	}
	var json, others []string
	for _, r := range successes {
		for _, m := range r.Media {
			media, ok := acceptable(m.Type)
			switch {
			case !ok || slices.Contains(json, media) || slices.Contains(others, media):
			case m.JSON():
				json = append(json, media)
			default:
				others = append(others, media)
			}
		}
	}
	return append(json, others...)
}

// acceptable returns a documented media type as an Accept field lists it. The
// parameter charset has a field of its own (RFC 9110, 12.5.2).
func acceptable(documented string) (string, bool) {
	if documented == usualMedia {
		return documented, true
	}
	media, params, err := mime.ParseMediaType(documented)
	if err != nil || !strings.Contains(media, "/") {
		return "", false
	}
	delete(params, "charset")
	delete(params, "q")
	out := mime.FormatMediaType(media, params)
	return out, out != ""
}
