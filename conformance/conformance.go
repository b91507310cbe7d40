package conformance

import (
	"context"
	"errors"
	"time"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/parallel"
	"plantstore/conformance/report"
)

// SetupError is a mistake in what the caller gave: configuration, document,
// requirements file, selection. Its text is one line with a hint.
type SetupError struct{ Err error }

// Error gives the line.
func (e *SetupError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *SetupError) Unwrap() error { return e.Err }

// Run judges the target. The report is nil when nothing was sent: the error is
// then a *SetupError, or says that the context or MaxTime ended the reading of
// the document. Whatever happens later is told by the report.
func Run(ctx context.Context, c Config) (*report.Report, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, orDefault(c.MaxTime, defaultMaxTime))
	defer cancel()
	selected := len(c.Only)+len(c.Skip) > 0
	s, err := prepare(ctx, c, true, selected)
	if err != nil {
		return nil, err
	}
	out := &report.Report{Version: report.Version, Tool: Tool}
	config := s.judgeConfig(&out.Header)
	config.Began = began
	j := judge.New(config)
	// The cases are made while the pre-flight waits for the target.
	var filled error
	filling := parallel.Start(func() {
		if !selected {
			filled = s.fill(ctx)
		}
	})
	s.await(ctx)
	j.Open(ctx)
	filling.Wait()
	switch {
	case filled != nil && ctx.Err() != nil:
		return nil, errors.New(ended(ctx))
	case filled != nil:
		return nil, &SetupError{filled}
	}
	out.Header = s.header()
	got := j.Run(ctx, s.cases)
	if ctx.Err() != nil {
		got.Reasons = append([]string{ended(ctx)}, got.Reasons...)
	}
	out.Header.Epoch = got.Epoch
	out.Facts, out.Results, out.Observed, out.Second = got.Facts, got.Results, got.Observed, got.Second
	out.Summary = summarise(out, got, c.FailOn)
	out.Times = report.Times{Began: began, Took: time.Since(began), First: got.First, Median: got.Median, Slowest: got.Slowest, Limits: got.Limits}
	return out, nil
}

// ended says why the context of a run did.
func ended(ctx context.Context) string {
	if ctx.Err() == context.DeadlineExceeded {
		return "the run reached its time limit (see --max-time)"
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
