package checks

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var head = plan.Mutator{
	Name: "head",
	Doc:  "Makes a thing, reads it or a part of it twice and sends HEAD, before and after a change, because a server may have a handler of its own for HEAD.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		get := r.GetOf(s.Op)
		if get == nil {
			return
		}
		add(about("made", judges(headLikeGet), 1, func(g *plan.Gen, _ int) []plan.Step {
			return readAgain(row(g.Request(r.Make, true), simplest(g, get), simplest(g, get), simplest(g, s.Op)), 1)
		}))
		if change := writer(r); change != nil && get == r.Read {
			add(about("changed", judges(headLikeGet), 1, func(g *plan.Gen, _ int) []plan.Step {
				return readAgain(row(simplest(g, r.Make), simplest(g, s.Op), g.Request(change, true), simplest(g, get), simplest(g, get), simplest(g, s.Op)), 3)
			}))
		}
	},
}

// headLikeGet: HEAD is GET without a body.
var headLikeGet = requirement.Rule{
	Name:        "head-like-get",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "HEAD is not answered like GET",
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
	return strconv.Itoa(len(e.Body))
}

var ranged = plan.Mutator{
	Name: "ranged",
	Doc:  "Reads a thing, and then a part of it with Range, because a server may send all of it, other bytes or a wrong length with 206 (RFC 9110, 14.4).",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if !readsPart(s.Op, r) || s.Op.Lists(http.StatusPartialContent) == nil {
			return
		}
		add(about("part", judges(partialContent), 1, func(g *plan.Gen, _ int) []plan.Step {
			part := simplest(g, s.Op)
			part.SetHeader("Range", "bytes=1-2")
			return row(simplest(g, r.Make), simplest(g, s.Op), part)
		}))
	},
}

// readsPart reports whether an operation reads a thing, or something that belongs to it, such as the
// content of a file.
func readsPart(op *openapi.Operation, r *resource.Resource) bool {
	return op == r.Read || op.Method == http.MethodGet && r.IsPart(op)
}

// partialContent: a part is the one that Content-Range names.
var partialContent = requirement.Rule{
	Name:        "partial-content",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "an answer 206 is not the part that its Content-Range names",
	Doc:         "An answer 206 to a request for one range of bytes has a Content-Range with as many bytes as its body, within a whole as large as the read before it was. If a request gave these bytes, they are compared. Another entity tag shows that the thing changed meanwhile; without one, and without such bytes, only their number is judged. Parts in several pieces and in a content coding are not judged.",
	Explanation: "An answer 206 (Partial Content) has a Content-Range, and its body is exactly that part of the resource.",
	Fix:         "Make Content-Range and the body from the same first and last byte. The last one is included, and the total is the size of the whole.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.Op.Lists(http.StatusPartialContent)
		if listed == nil || !readsPart(s.Op, s.Resource) {
			return nil
		}
		return s.Row(report.Should, listed.Pointer, "RFC 9110, 14.4 and 15.3.7", "A 206 is the part that its Content-Range names.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before, r := justRead(p), p.Exchange.Response
		if before == nil || before.Got.Status != http.StatusOK || p.Got.Status != http.StatusPartialContent || r.ContentErr != nil {
			return requirement.None
		}
		if before.Coding != "" || r.Coding != "" || strings.HasPrefix(p.Got.Media, "multipart/") {
			return requirement.None
		}
		tag := r.Get("ETag")
		if tag != before.Tag && tag != "" && before.Tag != "" {
			return requirement.None
		}
		whole := bytesGiven(p)
		given := whole != nil && len(whole.Text) == len(before.Body)
		field := r.Get("Content-Range")
		first, last, total, ok := contentRange(field)
		switch n := len(r.Content); {
		case !ok:
			return requirement.Failed("no range", "a Content-Range such as bytes 1-2/"+strconv.Itoa(len(before.Body)), "Content-Range "+strconv.Quote(field))
		case n != last-first+1:
			return requirement.Failed("length", fmt.Sprintf("%d bytes, as Content-Range: %s says", last-first+1, field), fmt.Sprintf("%d", n))
		case !given && (tag == "" || before.Tag == ""):
			return requirement.Passed
		case total >= 0 && total != len(before.Body):
			return requirement.Failed("total", fmt.Sprintf("a Content-Range of %d bytes, as the read before it has", len(before.Body)), "Content-Range: "+field)
		}
		if given && last < len(before.Body) && string(r.Content) != whole.Text[first:last+1] {
			return requirement.Failed("bytes", fmt.Sprintf("the bytes %d to %d that were stored", first, last), "others")
		}
		return requirement.Passed
	},
}

// bytesGiven returns the bytes that the last change gave, if the answer may have them as they are, or nil.
func bytesGiven(p *requirement.Input) *jsontree.Value {
	by, _ := p.Wrote()
	if by == nil || by.Op.Body == nil || by.Op.Body.Media != p.Got.Media {
		return nil
	}
	if whole := bodyOf(p, by); plainText(whole) {
		return whole
	}
	return nil
}

// inPart reports whether an answer has only a part of a representation, which is no JSON text.
func inPart(p *requirement.Input) bool {
	return p.Got.Status == http.StatusPartialContent && p.Exchange.Response.Get("Content-Range") != ""
}

// contentRange reads the field Content-Range (RFC 9110, 14.4). The total is -1 if it is not known.
func contentRange(field string) (first, last, total int, ok bool) {
	in, found := strings.CutPrefix(strings.ToLower(field), "bytes ")
	span, whole, split := strings.Cut(in, "/")
	from, to, dashed := strings.Cut(span, "-")
	if !found || !split || !dashed {
		return 0, 0, 0, false
	}
	first, err := strconv.Atoi(strings.TrimSpace(from))
	last, errLast := strconv.Atoi(strings.TrimSpace(to))
	total, errTotal := -1, error(nil)
	if whole != "*" {
		total, errTotal = strconv.Atoi(strings.TrimSpace(whole))
	}
	ok = err == nil && errLast == nil && errTotal == nil && first >= 0 && first <= last && (total < 0 || last < total)
	return first, last, total, ok
}
