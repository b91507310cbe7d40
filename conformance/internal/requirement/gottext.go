package requirement

import (
	"net/http"
	"strconv"

	"plantstore/conformance/internal/contract"
)

// String names an answer without the values that differ from one request to the
// next: "400 Bad Request, an Error".
func (g *Got) String() string {
	out := strconv.Itoa(g.Status)
	if t := http.StatusText(g.Status); t != "" {
		out += " " + t
	}
	switch {
	case g.Reading != nil && g.Form != nil && g.Form.Shape.Schema.Phrase() != "" && g.Reading.Kind == contract.Plain:
		return out + ", " + g.Form.Shape.Schema.Phrase()
	case g.Media == "":
		return out + ", no media type"
	}
	return out + ", " + g.Media
}
