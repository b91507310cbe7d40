package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

func TestWhatIsLeftOutHasItsDefault(t *testing.T) {
	card := func(sent string, status int, came string) report.Verdict {
		return defaultApplied.Check(history(t, said{"card", "@b1 " + sent, status, came, ""})).Verdict
	}
	assert.Equal(t, report.Pass, card(`{"a":"x"}`, 201, `{"a":"x","d":"first"}`))
	assert.Equal(t, report.Fail, card(`{"a":"x"}`, 201, `{"a":"x","d":"other"}`))
	assert.Equal(t, report.Fail, card(`{"a":"x"}`, 201, `{"a":"x","d":null}`))
	assert.Equal(t, report.Inapplicable, card(`{"a":"x","d":"other"}`, 201, `{"d":"other"}`), "it was given")
	assert.Equal(t, report.Inapplicable, card(`{"a":"x"}`, 201, `{"a":"x"}`), "the answer does not have it")
	assert.Equal(t, report.Inapplicable, card(`{"a":"x"}`, 400, `{"d":"other"}`))
}
