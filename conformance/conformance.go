package conformance

import (
	"context"
	"time"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/report"
)

// SetupError is a mistake in what the caller gave: configuration, document,
// requirements file, selection. Its text is one line with a hint.
type SetupError struct{ Err error }

// Error gives the line.
func (e *SetupError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *SetupError) Unwrap() error { return e.Err }

// Run judges the target. The error is a *SetupError, and the report nil, when
// nothing was sent; whatever happens later is told by the report.
func Run(ctx context.Context, c Config) (*report.Report, error) {
	began := time.Now()
	s, err := setUp(c)
	if err == nil {
		err = s.connect()
	}
	selected := len(c.Only)+len(c.Skip) > 0
	if err == nil && selected {
		err = s.fill()
	}
	if err != nil {
		return nil, &SetupError{err}
	}
	ctx, cancel := context.WithTimeout(ctx, orDefault(c.MaxTime, defaultMaxTime))
	defer cancel()
	out := &report.Report{Version: report.Version, Tool: Tool}
	config := s.judgeConfig(&out.Header)
	config.Began = began
	j := judge.New(config)
	// The cases are made while the pre-flight waits for the target.
	filled := make(chan error, 1)
	go func() {
		if selected {
			filled <- nil
			return
		}
		filled <- s.fill()
	}()
	s.await(ctx)
	j.Open(ctx)
	if err := <-filled; err != nil {
		return nil, &SetupError{err}
	}
	out.Header = s.header()
	got := j.Run(ctx, s.cases)
	if ctx.Err() != nil {
		got.Reasons = append([]string{ended(ctx)}, got.Reasons...)
	}
	out.Header.Epoch = got.Epoch
	out.Facts, out.Results, out.Observed, out.Second = got.Facts, got.Results, got.Observed, got.Second
	out.Summary = summarise(out, got, c.FailOn)
	out.Times = report.Times{Began: began, Took: time.Since(began), First: got.First, Median: got.Median, Slowest: got.Slowest}
	return out, nil
}

// ended says why the context of a run did.
func ended(ctx context.Context) string {
	if ctx.Err() == context.DeadlineExceeded {
		return "the time for the run was spent (see --max-time)"
	}
	return "the run was interrupted"
}

const defaultMaxTime = 5 * time.Minute

func orDefault[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
