package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"plantstore/conformance/formats"
)

// textOptions fits a text to the stream it goes to: colour and width are those
// of a terminal, and nothing else gets an escape sequence.
func textOptions(s stream, noColor bool, getenv func(string) string) formats.Options {
	o := formats.Options{Colour: s.terminal && !noColor && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
	if s.terminal && s.width > 0 {
		o.Width = min(max(s.width, 60), 120)
	}
	return o
}

// bar shows the progress of a run, on a terminal only.
type bar struct {
	stream stream
	bar    *progressbar.ProgressBar
	failed int
}

func newBar(s stream) *bar { return &bar{stream: s} }

func (b *bar) show(done, planned, failed int) {
	if !b.stream.terminal || planned <= 0 {
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions(planned,
			progressbar.OptionSetWriter(b.stream),
			progressbar.OptionSetDescription("judging"),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
		)
	}
	if planned != b.bar.GetMax() {
		b.bar.ChangeMax(planned)
	}
	if failed != b.failed {
		b.failed = failed
		b.bar.Describe(fmt.Sprintf("judging, %d failed", failed))
	}
	// A bar that cannot be drawn is no reason to end a run; one before the last
	// step keeps it from finishing while confirmations still come.
	_ = b.bar.Set(min(done, planned-1))
}

func (b *bar) clear() {
	if b.bar != nil {
		_ = b.bar.Clear()
		b.bar = nil
	}
}
