package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// bar is the line of a terminal that shows what a run is doing: how many cases are
// done, how many failed, how fast it goes and how long it will take, and what it waits
// for if that takes more than a second. To anything but a terminal it writes nothing. It
// uses no escape sequences, so that it works on every terminal.
type bar struct {
	stream stream
	now    func() time.Time

	mu                    sync.Mutex
	done, planned, failed int
	ends                  time.Time // when --max-time ends the run; zero if nothing does
	began, drawn          time.Time // of the first case, and of the last change of the line
	line                  string    // the line that is shown
	waits                 []*wait   // in the order in which they began
	stop                  chan struct{}
}

// wait is something that a run waits for.
type wait struct {
	what  string
	since time.Time
}

const (
	longWait  = time.Second            // a shorter wait is not shown
	drawPause = 100 * time.Millisecond // between two changes of the line
	lookPause = 250 * time.Millisecond // between two looks at the waits
)

func newBar(s stream) *bar { return &bar{stream: s, now: time.Now} }

// show shows how many cases are done.
func (b *bar) show(done, planned, failed int) {
	if !b.stream.terminal || planned <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.planned, b.failed = done, planned, failed
	now := b.now()
	if b.began.IsZero() {
		b.began = now
	}
	if now.Sub(b.drawn) >= drawPause {
		b.draw(now)
	}
}

// wait notes that a wait begins, and returns the function that ends it; see
// conformance.Config.Waits.
func (b *bar) wait(what string) (over func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &wait{what, b.now()}
	b.waits = append(b.waits, w)
	if b.stop == nil {
		b.stop = make(chan struct{})
		go b.look(b.stop)
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.waits = slices.DeleteFunc(b.waits, func(x *wait) bool { return x == w })
	}
}

// look redraws the line while nothing else does, because the whole run waits.
func (b *bar) look(stop chan struct{}) {
	tick := time.NewTicker(lookPause)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			b.mu.Lock()
			if now := b.now(); b.line != "" || b.long(now) != nil {
				b.draw(now)
			}
			b.mu.Unlock()
		}
	}
}

// long is the wait to show: of those that take long already, the one that began last,
// because it is a part of the earlier ones.
func (b *bar) long(now time.Time) *wait {
	for _, w := range slices.Backward(b.waits) {
		if now.Sub(w.since) >= longWait {
			return w
		}
	}
	return nil
}

// draw writes the line over the one that is shown.
func (b *bar) draw(now time.Time) {
	b.drawn = now
	text := b.text(now)
	if text == b.line {
		return
	}
	blanks := max(0, utf8.RuneCountInString(b.line)-utf8.RuneCountInString(text))
	b.line = text
	// A line that cannot be drawn is no reason to end a run.
	_, _ = io.WriteString(b.stream, "\r"+text+strings.Repeat(" ", blanks))
}

// text is the line, as far as it fits.
func (b *bar) text(now time.Time) string {
	var parts []string
	if b.planned > 0 {
		parts = append(parts, fmt.Sprintf("judging %d/%d", b.done, b.planned))
		if b.failed > 0 {
			parts = append(parts, fmt.Sprintf("%d failed", b.failed))
		}
	}
	w := b.long(now)
	if w != nil {
		parts = append(parts, fmt.Sprintf("%s, %ds", w.what, int(now.Sub(w.since).Seconds())))
	} else if took := now.Sub(b.began).Seconds(); b.done > 1 && took >= 0.5 {
		rate := float64(b.done) / took
		parts = append(parts, fmt.Sprintf("%.*f/s", decimals(rate), rate))
		if left := b.planned - b.done; left > 0 {
			parts = append(parts, "about "+b.left(now, float64(left)/rate).String()+" left")
		}
	}
	room := b.stream.width - 1 // a full line would begin a second one
	if b.stream.width <= 0 {
		room = 79
	}
	text := strings.Join(parts, ", ")
	for w == nil && len(parts) > 1 && utf8.RuneCountInString(text) > room {
		parts = parts[:len(parts)-1]
		text = strings.Join(parts, ", ")
	}
	if runes := []rune(text); len(runes) > room {
		text = string(runes[:max(room, 0)])
	}
	return text
}

// left is how long a run goes on that needs some more seconds: --max-time may end it before.
func (b *bar) left(now time.Time, seconds float64) time.Duration {
	left := time.Duration(seconds)*time.Second + time.Second
	if !b.ends.IsZero() {
		left = min(left, max(b.ends.Sub(now).Truncate(time.Second)+time.Second, time.Second))
	}
	return left
}

// limit tells when --max-time ends the run.
func (b *bar) limit(maximum time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ends = b.now().Add(maximum)
}

// decimals is the number of decimals to show of a rate: one if it is slow.
func decimals(rate float64) int {
	if rate < 10 {
		return 1
	}
	return 0
}

// clear removes the line. The next change draws it again.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

// end removes the line for good.
func (b *bar) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	if b.stop != nil {
		close(b.stop)
		b.stop = nil
	}
	b.waits = nil
}

func (b *bar) erase() {
	if b.line == "" {
		return
	}
	_, _ = io.WriteString(b.stream, "\r"+strings.Repeat(" ", utf8.RuneCountInString(b.line))+"\r")
	b.line = ""
}
