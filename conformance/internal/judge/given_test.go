package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// A success that was made for another request says nothing of the one that got it.
func TestAnInvalidRequestThatGotTheAnswerOfAnotherOneIsNoFaultOfTheCheckOfBodies(t *testing.T) {
	j := plants(t)
	d, err := jsontree.Parse([]byte(`{"id":8,"name":"word45rose"}`))
	require.NoError(t, err)
	j.Origins.Note(&message.Message{Op: j.Bound[0].Op, Tree: d.Root}, "another")
	const foreign = `{"name":"word45rose"}`
	for name, c := range map[string]struct{ sent, credential, came, want string }{
		"of another request":         {badPlant, "", foreign, "answer-belongs"},
		"of another, for no JSON":    {"{", "", foreign, "answer-belongs"},
		"of another, for no token":   {baselinePlant, "Bearer wrong", foreign, "answer-belongs"},
		"its own":                    {badPlant, "", echoed, "newplant-id-integer"},
		"a word that nobody sent":    {badPlant, "", `{"name":"word67lily"}`, "newplant-id-integer"},
		"its own, for no JSON":       {"{", "", echoed, "post-plants-body-json"},
		"of another, about its id":   {`{"id":8}`, "", foreign, "newplant-name-required"},
		"refused, as it has to be":   {badPlant, "", "", ""},
		"of another, and it is fine": {baselinePlant, "", foreign, "answer-belongs"},
	} {
		came := answered(200, jsonType, c.came)
		if c.came == "" {
			came = answered(400, jsonType, refused)
		}
		must, _ := reason(j, c.sent, c.credential, came)
		assert.Equal(t, c.want, must, name)
	}
}

func TestTheRequirementThatAForeignAnswerHidesIsNotGreen(t *testing.T) {
	j := plants(t)
	d, err := jsontree.Parse([]byte(`{"id":8,"name":"word45rose"}`))
	require.NoError(t, err)
	j.Origins.Note(&message.Message{Op: j.Bound[0].Op, Tree: d.Root}, "another")
	c := aCase(j)
	j.trying(c, "newplant-id-integer")
	p := played(j, badPlant, answered(200, jsonType, `{"name":"word45rose"}`))
	j.Check(c, generate.Identity{}, p)
	require.NotNil(t, p.Checked.Reason)
	assert.Equal(t, "answer-belongs", j.Bound[p.Checked.Reason.At].ID)
	assert.True(t, p.Checked.Suppressed.Has(j.at("newplant-id-integer")))
	assert.False(t, p.Checked.Passed.Has(j.at("newplant-id-integer")))
}
