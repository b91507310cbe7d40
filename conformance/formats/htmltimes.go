package formats

import (
	"fmt"
	"math"
	"strconv"
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
	maximum, requests, unanswered, failed, end := 0, 0, 0, 0, time.Duration(0)
	for _, x := range t.Intervals[:min(len(t.Intervals), intervalsDrawn)] {
		if t.Width <= 0 || x.From < 0 || x.From/t.Width >= intervalsDrawn || min(x.Requests, x.Unanswered, x.FailedCases) < 0 || max(x.Requests, x.Unanswered, x.FailedCases) > countDrawn {
			continue
		}
		list = append(list, x)
		maximum, end = max(maximum, x.Requests), max(end, x.From+t.Width)
		requests, unanswered, failed = requests+x.Requests, unanswered+x.Unanswered, failed+x.FailedCases
	}
	if requests == 0 || end <= 0 {
		return nil
	}
	p := &plot{ID: "timeline", Title: "When requests were sent", Axis: "requests in " + shortTime(t.Width), Below: "time since the first request",
		Desc: fmt.Sprintf("Timeline of %s in %s; at most %s.", counted(requests, "request"), shortTime(end), per(maximum, "request", t.Width))}
	if t.Shards > 1 {
		p.Below += fmt.Sprintf(" of each of %d shards", t.Shards)
	}
	at := func(d time.Duration) float64 { return float64(d) / float64(end) }
	for _, x := range list {
		middle := at(x.From) + at(t.Width)/2
		if x.Requests > 0 {
			p.bar(at(x.From), at(x.From)+at(t.Width), float64(x.Requests)/float64(maximum), fmt.Sprintf("at %s: %s", shortTime(x.From), per(x.Requests, "request", t.Width)))
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
	p.up(float64(maximum))
	return p
}

// plot is a drawing of bars for the template of the page. Its coordinates are those of an
// SVG with the view box 0 0 720 244; its words are the same for a screen reader.
type plot struct {
	ID, Title, Desc string
	// Axis says what the bars count, and what is below them.
	Axis, Below string
	Bars        []plotBar
	Signs       []plotSign
	Lines       []plotLine
	Across, Up  []plotTick
}

// plotBar is a bar, with words for a reader who points at it.
type plotBar struct{ X, Y, Width, Height, Title string }

// plotSign marks an interval: a shape, so that its colour is not needed.
type plotSign struct{ Look, Points, Title string }

// plotLine is a line from the top to the bottom with a label.
type plotLine struct{ X, LabelY, LabelX, Anchor, Text string }

// plotTick is a place on an axis.
type plotTick struct{ At, Label, Text string }

// The area of the bars.
const (
	plotLeft, plotRight = 60.0, 700.0
	plotTop, plotFoot   = 62.0, 206.0
	plotMin             = 2.0 // height of a bar: a single answer among thousands can be seen
	plotRow             = 14.0
)

func coordinate(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// bar adds a bar between two places, each from 0 to 1, with a height from 0 to 1.
func (p *plot) bar(from, to, height float64, title string) {
	x, width := plotX(from), plotX(to)-plotX(from)
	tall := max(height*(plotFoot-plotTop), plotMin)
	p.Bars = append(p.Bars, plotBar{coordinate(x), coordinate(plotFoot - tall), coordinate(max(width-1, 1)), coordinate(tall), title})
}

// sign adds a triangle or, in the row below, a diamond.
func (p *plot) sign(at float64, look, title string) {
	x, y := plotX(at), plotTop-3*plotRow
	shape := [][2]float64{{-5, 0}, {5, 0}, {0, 9}}
	if look == "diamond" {
		y += plotRow
		shape = [][2]float64{{0, 0}, {5, 5}, {0, 10}, {-5, 5}}
	}
	points := ""
	for i, d := range shape {
		if i > 0 {
			points += " "
		}
		points += coordinate(x+d[0]) + "," + coordinate(y+d[1])
	}
	p.Signs = append(p.Signs, plotSign{look, points, title})
}

// line adds a line with a label. Each label has a row of its own, so that none covers
// another.
func (p *plot) line(at float64, text string) {
	x, anchor := plotX(at), "start"
	label := x + 4
	if at > 0.6 {
		label, anchor = x-4, "end"
	}
	y := plotTop - 3*plotRow + plotRow*float64(len(p.Lines)) - 6
	p.Lines = append(p.Lines, plotLine{coordinate(x), coordinate(y), coordinate(label), anchor, text})
}

// across adds a place below the bars.
func (p *plot) across(at float64, text string) {
	p.Across = append(p.Across, plotTick{At: coordinate(plotX(at)), Text: text})
}

// up adds the places of the axis on the left, up to the greatest count.
func (p *plot) up(greatest float64) {
	step := max(niceStep(greatest/5), 1)
	for n := 0.0; n <= greatest; n += step {
		y := plotFoot - n/greatest*(plotFoot-plotTop)
		p.Up = append(p.Up, plotTick{At: coordinate(y), Label: coordinate(y + 4), Text: strconv.FormatFloat(n, 'f', 0, 64)})
	}
}

func plotX(at float64) float64 { return plotLeft + min(max(at, 0), 1)*(plotRight-plotLeft) }

// niceStep is the least of 1, 2, 5, 10, 20 and so on that is at least x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(x, 1))))
	for _, n := range []float64{1, 2, 5} {
		if n*power >= x {
			return n * power
		}
	}
	return 10 * power
}

// shortTime is a time with three digits.
func shortTime(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

// per writes "3 requests in 64ms".
func per(n int, what string, width time.Duration) string {
	return fmt.Sprintf("%s in %s", counted(n, what), shortTime(width))
}
