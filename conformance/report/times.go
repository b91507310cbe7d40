package report

import (
	"encoding/base64"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Times are the only members that differ between two runs with the same seed and
// the same state of the target.
type Times struct {
	Began time.Time     `json:"began"`
	Took  time.Duration `json:"took_ns"`
	First time.Duration `json:"first_request_ns"`
	// Median, P90 and P99 are percentiles of the times of answers. They are read off
	// Answers, so each is off by less than the width of a bucket.
	Median  time.Duration `json:"median_answer_ns"`
	P90     time.Duration `json:"p90_answer_ns,omitzero"`
	P99     time.Duration `json:"p99_answer_ns,omitzero"`
	Slowest time.Duration `json:"slowest_answer_ns"`
	// Answers is the histogram of how long answers took, the shortest times first. There
	// are ten buckets for each power of ten; those without an answer are left out.
	Answers []AnswerTimes `json:"answer_times,omitempty"`
	// Timeline says when requests were sent.
	Timeline Timeline `json:"timeline,omitzero"`
	Limits   Limits   `json:"limits,omitzero"`
	// Examples says when the steps of the failures were sent.
	Examples []StepTimes `json:"examples,omitempty"`
}

// Example returns the times of a step, from 1, of a failure. It reports false if they are
// not known.
func (t *Times) Example(failure, step int) (StepTimes, bool) {
	for _, s := range t.Examples {
		if s.Failure == failure && s.Step == step {
			return s, true
		}
	}
	return StepTimes{}, false
}

// StepTimes says when a step of a failure was sent, and how long it took until its answer
// was complete or given up.
type StepTimes struct {
	Failure int           `json:"failure"` // its number in the report
	Step    int           `json:"step"`    // from 1, as the report shows them
	Began   time.Time     `json:"began"`
	Took    time.Duration `json:"took_ns"`
}

// AnswerTimes is a bucket of the histogram: how many answers took at least From and less
// than Below, from the begin of sending a request to the end of its answer. Answers to requests that
// were sent behind another one, without waiting, do not count.
type AnswerTimes struct {
	From  time.Duration `json:"from_ns"`
	Below time.Duration `json:"below_ns"`
	Count int           `json:"answers"`
}

// Timeline divides a run into at most 60 intervals of the same width.
type Timeline struct {
	Width time.Duration `json:"interval_ns"`
	// Shards is the number of shards in a merged report: each begins at 0, and what was sent
	// in the same interval is added up. It is left out in the report of one run.
	Shards int `json:"shards,omitzero"`
	// Intervals are in order; those without a request and a failure are left out.
	Intervals []Interval `json:"intervals"`
}

// Interval is a part of a timeline.
type Interval struct {
	From     time.Duration `json:"from_ns"`  // since the first request
	Requests int           `json:"requests"` // sent in the interval
	// Unanswered is how many of them got no answer. FailedCases is how many cases ended
	// with a failure in the interval.
	Unanswered  int `json:"unanswered,omitzero"`
	FailedCases int `json:"failed_cases,omitzero"`
}

// Limits says how the target limited the run: by answers that asked the client to
// wait (429, or 503 with Retry-After).
type Limits struct {
	Answers int           `json:"limited_answers"`
	Waited  time.Duration `json:"waited_ns"`
	// Rate is the number of requests per second that the run slowed down to; 0 if it
	// did not.
	Rate int `json:"rate,omitzero"`
	// Unavailable counts answers 503 without Retry-After. They are judged.
	Unavailable int `json:"unavailable,omitzero"`
}

// Bytes are bytes from the connection. In JSON they are {"text": …} if they are
// valid UTF-8, and {"base64": …} otherwise, so that no byte is lost. Cut is the
// number of bytes after these that were left out.
type Bytes struct {
	Data []byte
	Cut  int
}

type wireBytes struct {
	Text   *string `json:"text,omitzero"`
	Base64 *string `json:"base64,omitzero"`
	Cut    int     `json:"cut,omitzero"`
}

// MarshalJSON writes the bytes without loss.
func (b Bytes) MarshalJSON() ([]byte, error) {
	w := wireBytes{Cut: b.Cut}
	if utf8.Valid(b.Data) {
		s := string(b.Data)
		w.Text = &s
	} else {
		s := base64.StdEncoding.EncodeToString(b.Data)
		w.Base64 = &s
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	var w wireBytes
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	b.Cut, b.Data = w.Cut, nil
	switch {
	case w.Text != nil && w.Base64 != nil:
		return errors.New("bytes with both text and base64: keep one")
	case w.Text != nil:
		b.Data = []byte(*w.Text)
	case w.Base64 != nil:
		d, err := base64.StdEncoding.DecodeString(*w.Base64)
		if err != nil {
			return err
		}
		b.Data = d
	}
	return nil
}
