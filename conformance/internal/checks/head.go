package checks

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

var head = plan.Mutator{
	Name: "head",
	Doc:  "Makes a thing, reads it or a part of it twice and sends HEAD, before and after a change, because a server may have a handler of its own for HEAD.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			get := r.GetOf(s.Op)
			if get == nil {
				continue
			}
			out = append(out, about("made", judges(headLikeGet), 1, func(g *plan.Gen, _ int) []plan.Step {
				return readAgain(row(g.Request(r.Make, true), simplest(g, get), simplest(g, get), simplest(g, s.Op)), 1)
			}))
			if change := writer(r); change != nil && get == r.Read {
				out = append(out, about("changed", judges(headLikeGet), 1, func(g *plan.Gen, _ int) []plan.Step {
					return readAgain(row(simplest(g, r.Make), simplest(g, s.Op), g.Request(change, true), simplest(g, get), simplest(g, get), simplest(g, s.Op)), 3)
				}))
			}
		}
		return out
	},
}

// headLikeGet: HEAD is GET without a body.
var headLikeGet = requirement.Rule{
	Name:        "head-like-get",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "HEAD is not answered like GET",
	Role:        requirement.RoleHistory,
	Doc:         "The answer to HEAD has the status of two answers to GET before it, and the ETag, Last-Modified, Content-Type and length that both have. What HEAD leaves out, and what differs between the two, is not compared, nor is a GET that a cache answered.",
	Explanation: "HEAD is answered like GET, without the body: the same status, and the same ETag, Last-Modified, Content-Type and Content-Length as far as HEAD has them.",
	Fix:         "Serve HEAD by the handler of GET, and leave out the body alone. Leave out Content-Length where the length is not known.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Resource.GetOf(s.Op) == nil {
			return nil
		}
		return s.Should("RFC 9110, 9.3.2 and 8.6", "HEAD is answered like GET, without the body.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		a, b := lastTwo(p)
		if a == nil || a.Got == nil || b.Got == nil || a.Got.Status != b.Got.Status || !a.Got.Success() || a.Cached || b.Cached {
			return requirement.None
		}
		r := p.Exchange.Response
		if r.Status != a.Got.Status {
			return requirement.Failed("another status", fmt.Sprintf("%d, as GET gives it", a.Got.Status), describe(p))
		}
		for _, f := range []struct{ name, one, two string }{
			{"ETag", strings.TrimPrefix(a.Tag, "W/"), strings.TrimPrefix(b.Tag, "W/")}, {"Last-Modified", a.Modified, b.Modified}, {"Content-Type", mediaOf(a.Type), mediaOf(b.Type)},
			{"Content-Length", sizeOf(a), sizeOf(b)},
		} {
			got := strings.TrimPrefix(r.Get(f.name), "W/")
			if f.name == "Content-Type" {
				got = mediaOf(got)
			}
			coded := f.name == "Content-Length" && !strings.EqualFold(strings.TrimSpace(r.Get("Content-Encoding")), a.Coding)
			if got != "" && f.one != "" && f.one == f.two && got != f.one && !coded {
				return requirement.Failed("another "+f.name, f.name+" "+p.Shorten(f.one, 100)+", as GET gives it", f.name+" "+p.Shorten(got, 100))
			}
		}
		return requirement.Passed
	},
}

// lastTwo returns the last two requests of a history if both are a GET of the resource.
func lastTwo(p *requirement.Input) (a, b *requirement.TraceStep) {
	n := len(p.History)
	if n < 2 || p.History[n-1].Op.Method != http.MethodGet || p.History[n-2].Op.Method != http.MethodGet {
		return nil, nil
	}
	return &p.History[n-2], &p.History[n-1]
}

// mediaOf is a content type without its parameters.
func mediaOf(text string) string {
	media, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// sizeOf writes the length of a body. Coded bodies differ without a reason.
func sizeOf(e *requirement.TraceStep) string {
	if e.Coding != "" {
		return ""
	}
	return strconv.Itoa(e.Size)
}
