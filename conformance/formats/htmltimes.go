package formats

import (
	"fmt"
	"math"
	"time"

	"plantstore/conformance/report"
)

// The greatest numbers that a run writes. What is beyond them in a report that somebody
// else wrote is not drawn.
const (
	bucketsDrawn   = 120
	intervalsDrawn = 60
	countDrawn     = 1 << 40
)

// htmlTimes is how fast the target answered, and when.
type htmlTimes struct {
	Answers string
	// Percentiles is a row of the table of how long answers took.
	Percentiles []htmlField
	Plots       []*plot
	// Failed and Unanswered say what the signs of the timeline stand for; empty if it has none.
	Failed, Unanswered string
}

// newHTMLTimes returns nil if nothing was measured.
func newHTMLTimes(t *report.Times) *htmlTimes {
	out := &htmlTimes{}
	if p, n := answersPlot(t); p != nil {
		out.Answers = counted(n, "answer")
		for _, m := range percentiles(t) {
			out.Percentiles = append(out.Percentiles, htmlField{m.name, shortTime(m.took)})
		}
		out.Plots = append(out.Plots, p)
	}
	if p := out.timelinePlot(t.Timeline); p != nil {
		out.Plots = append(out.Plots, p)
	}
	if len(out.Plots) == 0 {
		return nil
	}
	return out
}

// percentile is a row of the table of times, with the short name that a plot has.
type percentile struct {
	name, short string
	took        time.Duration
}

func percentiles(t *report.Times) []percentile {
	return []percentile{{"median (p50)", "p50", t.Median}, {"90th percentile (p90)", "p90", t.P90}, {"99th percentile (p99)", "p99", t.P99}, {"slowest (max)", "max", t.Slowest}}
}

// answersPlot draws how long answers took, on a logarithmic scale from one power of ten to
// another. It is nil if there was no answer.
func answersPlot(t *report.Times) (p *plot, answers int) {
	var list []report.AnswerTimes
	greatest := report.AnswerTimes{}
	for _, b := range t.Answers[:min(len(t.Answers), bucketsDrawn)] {
		if b.From < 0 || b.Below <= b.From || b.Count <= 0 || b.Count > countDrawn {
			continue
		}
		b.Below = min(b.Below, max(b.From, time.Microsecond)*2) // the last bucket has no end
		list = append(list, b)
		answers += b.Count
		if b.Count > greatest.Count {
			greatest = b
		}
	}
	if len(list) == 0 {
		return nil, 0
	}
	first, last := math.MaxFloat64, 0.0
	for _, b := range list {
		first, last = min(first, math.Floor(decade(b.From))), max(last, math.Ceil(decade(b.Below)))
	}
	at := func(d time.Duration) float64 { return (decade(d) - first) / (last - first) }
	between := func(b report.AnswerTimes) string { return shortTime(b.From) + " to " + shortTime(b.Below) }
	p = &plot{ID: "answer-times", Title: "How long answers took", Axis: "answers", Below: "time of an answer, logarithmic",
		Desc: fmt.Sprintf("Histogram of %s. The most, %d, took %s.", counted(answers, "answer"), greatest.Count, between(greatest))}
	for _, b := range list {
		p.bar(at(b.From), at(b.Below), float64(b.Count)/float64(greatest.Count), between(b)+": "+counted(b.Count, "answer"))
	}
	for _, m := range percentiles(t) {
		p.line(at(m.took), m.short+" "+shortTime(m.took))
		p.Desc += fmt.Sprintf(" %s: %s.", m.short, shortTime(m.took))
	}
	for power := first; power <= last; power++ {
		p.across((power-first)/(last-first), shortTime(time.Duration(math.Pow(10, power))))
	}
	p.up(float64(greatest.Count))
	return p, answers
}

// decade is the logarithm of a time in nanoseconds. What is shorter than half a microsecond,
// where the histogram has one bucket, counts as that.
func decade(d time.Duration) float64 { return math.Log10(float64(max(d, 500*time.Nanosecond))) }

// timelinePlot draws when requests were sent, and marks where they got no answer and where
// cases failed. It is nil if nothing was sent.
func (h *htmlTimes) timelinePlot(t report.Timeline) *plot {
	var list []report.Interval
	most, requests, unanswered, failed, end := 0, 0, 0, 0, time.Duration(0)
	for _, x := range t.Intervals[:min(len(t.Intervals), intervalsDrawn)] {
		if t.Width <= 0 || x.From < 0 || x.From/t.Width >= intervalsDrawn || min(x.Requests, x.Unanswered, x.FailedCases) < 0 || max(x.Requests, x.Unanswered, x.FailedCases) > countDrawn {
			continue
		}
		list = append(list, x)
		most, end = max(most, x.Requests), max(end, x.From+t.Width)
		requests, unanswered, failed = requests+x.Requests, unanswered+x.Unanswered, failed+x.FailedCases
	}
	if requests == 0 || end <= 0 {
		return nil
	}
	p := &plot{ID: "timeline", Title: "When requests were sent", Axis: "requests in " + shortTime(t.Width), Below: "time since the first request",
		Desc: fmt.Sprintf("Timeline of %s in %s; at most %s.", counted(requests, "request"), shortTime(end), per(most, "request", t.Width))}
	if t.Shards > 1 {
		p.Below += fmt.Sprintf(" of each of %d shards", t.Shards)
	}
	at := func(d time.Duration) float64 { return float64(d) / float64(end) }
	for _, x := range list {
		middle := at(x.From) + at(t.Width)/2
		if x.Requests > 0 {
			p.bar(at(x.From), at(x.From)+at(t.Width), float64(x.Requests)/float64(most), fmt.Sprintf("at %s: %s", shortTime(x.From), per(x.Requests, "request", t.Width)))
		}
		if x.FailedCases > 0 {
			p.sign(middle, "triangle", fmt.Sprintf("at %s: %s failed", shortTime(x.From), counted(x.FailedCases, "case")))
		}
		if x.Unanswered > 0 {
			p.sign(middle, "diamond", fmt.Sprintf("at %s: %s not answered", shortTime(x.From), counted(x.Unanswered, "request")))
		}
	}
	if failed > 0 {
		h.Failed = counted(failed, "case") + " failed"
		p.Desc += " " + h.Failed + "."
	}
	if unanswered > 0 {
		h.Unanswered = counted(unanswered, "request") + " not answered"
		p.Desc += " " + h.Unanswered + "."
	}
	step := time.Duration(niceStep(float64(end) / 8))
	for d := time.Duration(0); d <= end && len(p.Across) < 12; d += step {
		p.across(at(d), shortTime(d))
	}
	p.up(float64(most))
	return p
}
