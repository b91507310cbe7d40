package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

func TestAValueOfAnAnswerComesFromItsRequestAnotherOrNone(t *testing.T) {
	j := plants(t)
	op := j.Bound[0].Op
	note := func(sender, body string) {
		d, err := jsontree.Parse([]byte(body))
		require.NoError(t, err)
		j.Origins.Note(&message.Message{Op: op, Tree: d.Root}, sender)
	}
	origin := func(sender, body, path, value string) rule.Origin {
		sent := &message.Sent{}
		if body != "" {
			sent.Body = op.Body.Shape.Read([]byte(body))
		}
		return j.Origins.origin(&subject{op: op, sender: sender, sent: sent}, path, value)
	}
	assert.Equal(t, rule.NoOrigin, origin("a", `{"id":1}`, "/name", "word23fern"), "nothing was sent yet")
	note("a", `{"id":1,"name":"word23fern"}`)
	note("b", `{"id":2.0,"name":"word45rose"}`)
	note("c", `{"id":3,"name":"rose"}`)
	assert.Equal(t, rule.OwnRequest, origin("a", `{"id":1}`, "/name", "word23fern"))
	assert.Equal(t, rule.OtherRequest, origin("b", `{"id":2}`, "/name", "word23fern"))
	assert.Equal(t, rule.SameResource, origin("d", `{"id":2}`, "/name", "word45rose"), "the same number, spelled in another way")
	assert.Equal(t, rule.OtherRequest, origin("d", "", "/name", "word45rose"))
	assert.Equal(t, rule.NoOrigin, origin("d", `{"id":9}`, "/name", "rose"), "a word that anybody may have")
	assert.Equal(t, rule.NoOrigin, origin("b", `{"id":9}`, "/tag", "word23fern"), "another member")

	note("a", `{"id":1,"name":"word23fern"}`)
	assert.Equal(t, rule.OwnRequest, origin("a", `{"id":1}`, "/name", "word23fern"), "sent twice by one request")
	note("b", `{"id":2,"name":"word23fern"}`)
	for _, sender := range []string{"a", "b", "c"} {
		assert.Equal(t, rule.NoOrigin, origin(sender, `{"id":8}`, "/name", "word23fern"), "two requests sent it: it proves nothing")
	}

	assert.False(t, j.Origins.Unknown(op, jsontree.M("name", jsontree.NewString("word45rose"))))
	assert.True(t, j.Origins.Unknown(op, jsontree.M("name", jsontree.NewString("word67lily"))))
	assert.True(t, j.Origins.Unknown(op, jsontree.M("tag", jsontree.NewString("word45rose"))))
}

func TestEveryShortValueThatWasSentIsKnown(t *testing.T) {
	j := plants(t)
	op := j.Bound[0].Op
	d, err := jsontree.Parse([]byte(`{"id":8,"name":"rose"}`))
	require.NoError(t, err)
	j.Origins.Note(&message.Message{Op: op, Tree: d.Root}, "a")
	assert.True(t, j.Origins.Used(op, jsontree.M("id", jsontree.NewNumber("8.0"))))
	assert.False(t, j.Origins.Used(op, jsontree.M("id", jsontree.NewNumber("9"))))
	assert.True(t, j.Origins.Used(op, jsontree.M("name", jsontree.NewString("rose"))))
	assert.False(t, j.Origins.Used(op, jsontree.M("tag", jsontree.NewString("rose"))), "another member")
}
