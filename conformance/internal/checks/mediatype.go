package checks

import (
	"plantstore/conformance/internal/rule"
)

// mediaType: the media type of an answer is documented.
var mediaType = rule.Rule{
	Name:        "media-type",
	Rank:        rule.MediaType,
	Doc:         "The answer has one of the documented media types. Case and parameters do not matter (RFC 8259, 11: a charset parameter has no effect).",
	Explanation: "The response has one of the documented media types. Case and parameters do not matter.",
	Fix:         "Set the documented Content-Type on this answer, and on errors too.",
	Check: func(p *rule.Input) rule.Outcome {
		if !judged(p) {
			return rule.None
		}
		if p.Op.Method == "HEAD" && p.Got.Media == "" {
			return rule.None // it may be left out (RFC 9110, 9.3.2)
		}
		want := ""
		for i, m := range p.Got.Documented.Media {
			if i > 0 {
				want += " or "
			}
			want += m.Type
		}
		if p.Got.Form == nil {
			got := p.Got.Media
			if got == "" {
				got = "no media type"
			}
			return rule.Failed(p.Got.Media, want, signature(p)+" with "+got)
		}
		return rule.Passed
	},
}
