package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// screened is a bar on a terminal of some columns, with a clock that a test moves.
func screened(width int) (b *bar, text *bytes.Buffer, pass func(time.Duration)) {
	text = &bytes.Buffer{}
	now := time.Unix(1, 0)
	b = newBar(stream{Writer: text, terminal: true, width: width})
	b.now = func() time.Time { return now }
	return b, text, func(d time.Duration) { now = now.Add(d) }
}

// seen is what a terminal shows of a text with carriage returns.
func seen(text string) string {
	var line []rune
	for _, part := range strings.Split(text, "\r") {
		runes := []rune(part)
		if len(runes) < len(line) {
			runes = append(runes, line[len(runes):]...)
		}
		line = runes
	}
	return strings.TrimRight(string(line), " ")
}

func TestTheLineShowsCasesFailuresRateAndTimeLeft(t *testing.T) {
	b, text, pass := screened(80)
	b.show(1, 1000, 0)
	assert.Equal(t, "judging 1/1000", seen(text.String()))
	pass(time.Second)
	b.show(500, 1000, 2)
	assert.Equal(t, "judging 500/1000, 2 failed, 500/s, about 2s left", seen(text.String()))
	pass(time.Millisecond)
	b.show(501, 1000, 2)
	assert.Equal(t, "judging 500/1000, 2 failed, 500/s, about 2s left", seen(text.String()), "drawn a moment ago")
	b.clear()
	assert.Empty(t, seen(text.String()))
	pass(time.Second)
	b.show(1000, 1000, 2)
	assert.Equal(t, "judging 1000/1000, 2 failed, 500/s", seen(text.String()))
	b.end()
	assert.Empty(t, seen(text.String()))
}

func TestTheLineNeverReachesTheEndOfANarrowTerminal(t *testing.T) {
	for width, want := range map[int]string{
		45: "judging 500/1000, 2 failed, 500/s",
		30: "judging 500/1000, 2 failed",
		20: "judging 500/1000",
		10: "judging 5",
		1:  "",
	} {
		b, text, pass := screened(width)
		b.show(1, 1000, 0)
		pass(time.Second)
		b.show(500, 1000, 2)
		assert.Equal(t, want, seen(text.String()), width)
		for _, drawn := range strings.Split(text.String(), "\r") {
			assert.Less(t, len([]rune(drawn)), width+1)
		}
	}
}

func TestALongWaitIsNamedTheInnerBeforeTheOuter(t *testing.T) {
	b, text, pass := screened(80)
	b.show(10, 1000, 0)
	outer := b.wait("trying failures again")
	pass(2 * time.Second)
	inner := b.wait("waiting for an answer (--timeout)")
	assert.Equal(t, "judging 10/1000, trying failures again, 2s", b.text(b.now()), "the inner is not long yet")
	pass(time.Second)
	assert.Equal(t, "judging 10/1000, waiting for an answer (--timeout), 1s", b.text(b.now()))
	inner()
	assert.Equal(t, "judging 10/1000, trying failures again, 3s", b.text(b.now()))
	outer()
	assert.NotContains(t, b.text(b.now()), "trying")
	b.end()
	assert.Empty(t, seen(text.String()))
}

func TestAWaitIsDrawnWithoutAnyCase(t *testing.T) {
	b := newBar(stream{Writer: &bytes.Buffer{}, terminal: true, width: 60})
	over := b.wait("waiting for the server to be ready (--wait)")
	began := time.Now()
	b.mu.Lock()
	b.now = func() time.Time { return began.Add(5 * time.Second) }
	b.mu.Unlock()
	require.Eventually(t, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return strings.HasPrefix(b.line, "waiting for the server to be ready (--wait), ")
	}, 10*time.Second, time.Millisecond)
	over()
	b.end()
	assert.Empty(t, b.line)
}

func TestWaitsAreToldOnTerminalsOnly(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		for _, args := range []string{"run " + target, "run -q " + target, "reach " + target, "replay a/0 " + target} {
			d := newDesk()
			sys := d.system()
			sys.stderr.terminal = terminal
			executeIn(context.Background(), strings.Fields(args), sys)
			assert.Equal(t, terminal && !strings.Contains(args, "-q"), d.got.Waits != nil, args)
		}
	}
}

func TestVerbosePrintsAFailureBeforeTheReport(t *testing.T) {
	d := newDesk()
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		r := d.ran(c, report.NotConformant)
		for _, f := range []report.Failure{{Stable: true, Sent: "a\x1b", Expected: "400", Got: "200"}, {}, {NotTriedAgain: "no time"}} {
			c.Confirmed(report.Result{Requirement: "thing-size", Level: report.Must}, f)
		}
		return r, nil
	}
	require.Equal(t, exitNotConformant, d.exec("run", target, "-v"))
	lines := strings.Split(d.stdout.String(), "\n")
	assert.Equal(t, `confirmed thing-size (MUST): sent a\x1b; expected 400; got 200`, lines[1])
	assert.Regexp(t, `^unstable thing-size`, lines[2])
	assert.Regexp(t, `^not tried again thing-size`, lines[3])
	d = newDesk()
	require.Equal(t, exitUsage, d.exec("run", target, "-v", "-q"))
	line(t, d.stderr.String())
}

func TestTheTimeLeftIsAtMostThatOfTheRun(t *testing.T) {
	b, text, pass := screened(80)
	b.limit(time.Minute)
	b.show(1, 10000, 0)
	pass(50 * time.Second)
	b.show(500, 10000, 0)
	assert.Equal(t, "judging 500/10000, 10/s, about 11s left", seen(text.String()))
	pass(20 * time.Second)
	b.show(700, 10000, 0)
	assert.Equal(t, "judging 700/10000, 10/s, about 1s left", seen(text.String()), "the run is ending")
}
