package formats

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

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
	plotLeast           = 2.0 // height of a bar: a single answer among thousands can be seen
	plotRow             = 14.0
)

func coordinate(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// bar adds a bar between two places, each from 0 to 1, with a height from 0 to 1.
func (p *plot) bar(from, to, height float64, title string) {
	x, width := plotX(from), plotX(to)-plotX(from)
	tall := max(height*(plotFoot-plotTop), plotLeast)
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
