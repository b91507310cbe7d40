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
	"plantstore/conformance/internal/rule"
	"plantstore/spec"
)

// refusedWith is an exchange whose answer is a 400 with the body.
func refusedWith(op *openapi.Operation, body string) *judge.Played {
	form := &op.Response(400).Media[0]
	return &judge.Played{Step: plan.Step{Message: &message.Message{Op: op}},
		Exchange: &exchange.Exchange{Response: &exchange.Response{Status: 400, Content: []byte(body), Fields: []exchange.Field{{Name: "Content-Type", Value: "application/json"}}}},
		Answer:   &rule.Answer{Status: 400, Form: form, Reading: form.Shape.Read([]byte(body))}}
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
