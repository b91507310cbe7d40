package secondopinion

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/spec"
)

// refusedWith is an exchange whose answer is a 400 with the body.
func refusedWith(op *openapi.Operation, body string) *judge.Played {
	form := &op.Response(400).Media[0]
	return &judge.Played{Step: plan.Step{Message: &message.Message{Op: op}},
		Exchange: &exchange.Exchange{Response: &exchange.Response{Status: 400, Content: []byte(body), Fields: []exchange.Field{{Name: "Content-Type", Value: "application/json"}}}},
		Answer:   &requirement.Answer{Status: 400, Form: form, Reading: form.Shape.Read([]byte(body))}}
}

func createPlant(t *testing.T) *openapi.Operation {
	t.Helper()
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	return c.Operations[0]
}

func TestTheSecondReaderIsAskedOnceForEachDistinctAnswer(t *testing.T) {
	op := createPlant(t)
	j := &Check{Redactor: redact.New()}
	for i := range 30 {
		j.answers.note(fmt.Sprintf("case/%02d", 29-i), refusedWith(op, fmt.Sprintf(`{"error":7,"message":"no %d"}`, i%3)))
	}
	j.answers.note("fresh/1", refusedWith(op, `{"error":7,"message":"no a1b2c3d4"}`))
	j.answers.note("fresh/2", refusedWith(op, `{"error":7,"message":"no e5f6a7b8"}`))
	j.answers.note("bad", refusedWith(op, `{"error":7}`))
	opened, asked := 0, []string{}
	j.Open = func() (Second, error) {
		opened++
		return func(_ *openapi.Operation, status int, contentType string, body []byte) (bool, string) {
			asked = append(asked, fmt.Sprint(status, " ", contentType, " ", string(body)))
			return true, ""
		}, nil
	}
	got := j.Ask(context.Background())
	assert.Equal(t, 1, opened)
	assert.Equal(t, []string{`400 application/json {"error":7}`, `400 application/json {"error":7,"message":"no 2"}`,
		`400 application/json {"error":7,"message":"no 1"}`, `400 application/json {"error":7,"message":"no 0"}`,
		`400 application/json {"error":7,"message":"no a1b2c3d4"}`}, asked)
	assert.Equal(t, 4, got.Agreed)
	assert.Equal(t, 1, got.Disagreed)
	require.Len(t, got.Differences, 1)
	assert.Equal(t, "bad", got.Differences[0].Case)
	assert.Equal(t, "violates required at the root", got.Differences[0].Exact)
	assert.Equal(t, "valid", got.Differences[0].Second)
	assert.Empty(t, got.Reason)
}

func TestWhatTheTwoSayDifferentlyIsToldOnceWithACount(t *testing.T) {
	op := createPlant(t)
	j := &Check{Redactor: redact.New()}
	for i := range 900 {
		j.answers.note(fmt.Sprintf("case/%03d", i), refusedWith(op, fmt.Sprintf(`{"error":2147483648,"message":"no %d"}`, i)))
	}
	j.answers.note("other", refusedWith(op, `{"error":7}`))
	j.Open = func() (Second, error) {
		return func(*openapi.Operation, int, string, []byte) (bool, string) { return true, "" }, nil
	}
	got := j.Ask(context.Background())
	assert.Equal(t, 901, got.Disagreed)
	require.Len(t, got.Differences, 2)
	assert.Equal(t, 900, got.Differences[0].Answers)
	assert.Equal(t, "case/000", got.Differences[0].Case)
	assert.Equal(t, 1, got.Differences[1].Answers)
}

func TestWhatIsKeptForTheSecondReaderIsBoundedAndDependsOnNoOrder(t *testing.T) {
	op := createPlant(t)
	shape, read := &op.Response(400).Media[0], op.Response(400).Media[0].Shape.Read([]byte(`{"error":7,"message":"m"}`))
	var kept [2][]*distinctAnswer
	for run := range kept {
		var a answers
		for _, i := range rand.New(rand.NewPCG(1, uint64(run))).Perm(4 * smallAnswers) {
			body := fmt.Sprintf(`{"error":%d,"message":"m"}`, i)
			switch {
			case i%16 == 0:
				body += strings.Repeat(" ", smallBytes)
			case i == 1:
				body += strings.Repeat(" ", largeBytes)
			}
			p := refusedWith(op, "{}")
			p.Answer.Form, p.Answer.Reading, p.Exchange.Response.Content = shape, read, []byte(body)
			a.note(fmt.Sprintf("case/%d", i), p)
			require.LessOrEqual(t, len(a.small.known), smallAnswers+smallAnswers/4)
			require.LessOrEqual(t, len(a.large.known), largeAnswers+largeAnswers/4)
		}
		kept[run] = a.taken()
		assert.Contains(t, a.partial(), "a sample")
	}
	assert.Len(t, kept[0], smallAnswers+largeAnswers)
	assert.Equal(t, kept[0], kept[1])
}

func TestASecondReaderThatFailsOrHangsIsReportedAndDecidesNothing(t *testing.T) {
	op := createPlant(t)
	note := func() *Check {
		j := &Check{Redactor: redact.New(redact.Secret{Value: "t0ken-of-a-test", Shown: "$CONFORMANCE_TOKEN"})}
		j.answers.note("case/0", refusedWith(op, `{"error":7,"message":"m"}`))
		j.answers.note("case/1", refusedWith(op, `{"error":7,"message":"n"}`))
		return j
	}
	j := note()
	j.Open = func() (Second, error) { return nil, errors.New("cannot read t0ken-of-a-test") }
	got := j.Ask(context.Background())
	assert.Equal(t, 2, got.NotAsked)
	assert.Equal(t, "cannot read $CONFORMANCE_TOKEN", got.Reason)

	ctx, stop := context.WithCancel(context.Background())
	hang := make(chan struct{})
	defer close(hang)
	j = note()
	j.Open = func() (Second, error) {
		return func(*openapi.Operation, int, string, []byte) (bool, string) {
			stop()
			<-hang
			return true, ""
		}, nil
	}
	got = j.Ask(ctx)
	assert.Equal(t, 2, got.NotAsked)
	assert.Equal(t, "the run was interrupted", got.Reason)

	ctx, stop = context.WithTimeout(context.Background(), time.Nanosecond)
	defer stop()
	j = note()
	j.Open = func() (Second, error) { <-hang; return nil, nil }
	got = j.Ask(ctx)
	assert.Equal(t, 2, got.NotAsked)
	assert.Equal(t, "it reached its time limit", got.Reason)
}

// asked notes answers and gives the bodies that a second reader was asked about.
func asked(t *testing.T, notes ...*judge.Played) []string {
	k := &Check{Redactor: redact.New()}
	for _, p := range notes {
		k.Note("case", p)
	}
	var bodies []string
	k.Open = func() (Second, error) {
		return func(_ *openapi.Operation, _ int, _ string, body []byte) (bool, string) {
			bodies = append(bodies, string(body))
			return true, ""
		}, nil
	}
	k.Ask(t.Context())
	return bodies
}

func TestAnswersThatDifferInFreshWordsAloneAreOneQuestion(t *testing.T) {
	op := createPlant(t)
	with := func(body string) *judge.Played { return refusedWith(op, body) }
	same := func(a, b string) bool {
		n := len(asked(t, with(a), with(b)))
		require.Contains(t, []int{1, 2}, n)
		return n == 1
	}
	assert.True(t, same(`{"error":1,"message":"abcde1"}`, `{"error":1,"message":"vwxyz9"}`))
	assert.False(t, same(`{"error":1,"message":"abcde1"}`, `{"error":1,"message":"abcdef1"}`), "a word of another length")
	assert.False(t, same(`{"error":1,"message":"abcd1"}`, `{"error":1,"message":"wxyz9"}`), "too short for one")
	assert.False(t, same(`{"error":1,"message":"abcdef"}`, `{"error":1,"message":"uvwxyz"}`), "no digit in it")
	assert.False(t, same(`{"error":1,"message":"m"}`, `{"error":2,"message":"m"}`))
	assert.False(t, same(`{"error":1,"message":"abcde1"}`, `{"error":"1","message":"vwxyz9"}`))
	other := with(`{"error":1,"message":"abcde1"}`)
	other.Answer.Status = 404
	assert.Len(t, asked(t, with(`{"error":1,"message":"abcde1"}`), other), 2, "another status")
	typed := with(`{"error":1,"message":"abcde1"}`)
	typed.Exchange.Response.Fields[0].Value = "application/json; charset=utf-8"
	assert.Len(t, asked(t, with(`{"error":1,"message":"abcde1"}`), typed), 2, "another content type")
}

func TestTheSecondReaderIsNotAskedAboutWhatTheExactJudgeCannotDecideOrDidNotRead(t *testing.T) {
	op := createPlant(t)
	unread := refusedWith(op, "{}")
	unread.Answer.Reading = nil
	none := refusedWith(op, "{}")
	none.Answer = nil
	open := refusedWith(op, "{}")
	open.Answer.Reading = &schema.Reading{Kind: schema.Undecided}
	assert.Empty(t, asked(t, unread, none, open))

	k := &Check{Redactor: redact.New()}
	opened := false
	k.Open = func() (Second, error) { opened = true; return nil, nil }
	assert.Zero(t, k.Ask(t.Context()).NotAsked)
	assert.False(t, opened, "where there is no answer no reader is made")
	assert.Nil(t, (*Check)(nil).Ask(t.Context()))
}

func TestALargeAnswerIsLeftOutAndSaidSo(t *testing.T) {
	op := createPlant(t)
	k := &Check{Redactor: redact.New()}
	body := `{"error":1,"message":"m"}`
	for _, size := range []int{largeBytes, largeBytes + 1} {
		k.Note("case", refusedWith(op, body+strings.Repeat(" ", size-len(body))))
	}
	k.Open = func() (Second, error) {
		return func(*openapi.Operation, int, string, []byte) (bool, string) { return true, "" }, nil
	}
	got := k.Ask(t.Context())
	assert.Equal(t, 1, got.Agreed)
	assert.Equal(t, "without answers above 64 KiB", got.Reason)
}

func TestTheTwoAreComparedOnWhatTheExactJudgeSays(t *testing.T) {
	op := createPlant(t)
	for body, says := range map[string]string{
		`{"error":1,"message":"m"}`:          "valid",
		`{"error":"1","message":"m"}`:        "violates type at /error",
		`{"error":2147483648,"message":"m"}`: "violates format at /error",
		`[]`:                                 "violates type at the root",
		`{`:                                  "not JSON",
	} {
		k := &Check{Redactor: redact.New()}
		k.Note("case", refusedWith(op, body))
		takes := says != "valid"
		k.Open = func() (Second, error) {
			return func(*openapi.Operation, int, string, []byte) (bool, string) { return takes, "it says no" }, nil
		}
		got := k.Ask(t.Context())
		require.Len(t, got.Differences, 1, body)
		assert.Equal(t, says, got.Differences[0].Exact)
		assert.Equal(t, map[bool]string{true: "valid", false: "it says no"}[takes], got.Differences[0].Second)
		takes = !takes
		k.Note("case", refusedWith(op, body))
		got = k.Ask(t.Context())
		assert.Empty(t, got.Differences, body)
		assert.Equal(t, 1, got.Agreed)
	}
}
