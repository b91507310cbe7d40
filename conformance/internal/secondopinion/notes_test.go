package secondopinion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/redact"
)

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
	open.Answer.Reading = &openapi.Reading{Kind: openapi.Undecided}
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
