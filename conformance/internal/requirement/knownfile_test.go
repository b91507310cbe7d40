package requirement_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/requirement"
)

func TestAFileOfKnownFailuresIsAListOfEntries(t *testing.T) {
	got, err := requirement.ReadKnownFailures("k.yaml", []byte(`# why
- requirement: thing-*
  reason: >
    It is
    known.
  link: https://issues.example.com/17
  expires: 2030-12-31
-
  reason: Known too.
  requirement: "size"
`))
	require.NoError(t, err)
	assert.Equal(t, []requirement.KnownFailure{
		{Pattern: "thing-*", Reason: "It is known.", Link: "https://issues.example.com/17", Expires: time.Date(2030, 12, 31, 0, 0, 0, 0, time.UTC), Line: 2},
		{Pattern: "size", Reason: "Known too.", Line: 9}}, got)
	for _, empty := range []string{"", "# nothing yet\n", "[]\n"} {
		got, err := requirement.ReadKnownFailures("k.yaml", []byte(empty))
		require.NoError(t, err)
		assert.Empty(t, got)
	}
}

func TestAFileOfKnownFailuresIsRefusedAtItsLine(t *testing.T) {
	for in, want := range map[string]string{
		"- requirement: a\n  reson: b\n":                                 `k.yaml:2:3: unknown key "reson": did you mean reason?`,
		"- requirement: a\n  reason: b\n  owner: c\n":                    `k.yaml:3:3: unknown key "owner": use one of requirement, reason, link, expires`,
		"requirement: a\nreason: b\n":                                    "k.yaml:1:1: the file is a mapping: write a list of entries with requirement and reason",
		"- a\n":                                                          "k.yaml:1:3: the entry is a text: write a mapping with requirement and reason",
		"- requirement: a\n":                                             "k.yaml:1:3: the entry has no reason: add one",
		"- reason: a\n":                                                  "k.yaml:1:3: the entry has no requirement: add one",
		"- {requirement: a, reason: ' '}":                                "k.yaml:1:28: reason is empty: write something or remove it",
		"- {requirement: 7, reason: a}":                                  "k.yaml:1:17: requirement is a number: write a string, in quotes if it looks like something else",
		"- {requirement: a, reason: b, expires: 2026-02-30}":             `k.yaml:1:40: "2026-02-30" is not a date: write it like 2030-12-31`,
		"- {requirement: a, reason: b, expires: 30.12.2026}":             `k.yaml:1:40: "30.12.2026" is not a date: write it like 2030-12-31`,
		"- {requirement: a, reason: b}\n- {requirement: a, reason: c}\n": `k.yaml:2:17: "a" is in line 1 too: keep one`,
	} {
		_, err := requirement.ReadKnownFailures("k.yaml", []byte(in))
		assert.EqualError(t, err, want, in)
	}
}
