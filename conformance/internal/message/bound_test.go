package message

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// The text that stands for a tag may be an asterisk by chance, and one that is meant stays.
func TestAFixedValueIsNotReplacedEvenIfTheSameOneStoodForThatOfTheTarget(t *testing.T) {
	const place = "/tag"
	asterisk := func() *Message {
		m := &Message{Op: &openapi.Operation{Bind: []string{place}}, Tree: jsontree.NewObject(jsontree.Member{Name: "tag", Value: jsontree.NewString("*")})}
		m.Bind()
		return m
	}
	real := map[string]*jsontree.Value{place: jsontree.NewString("v1")}
	usual, fixed := asterisk(), asterisk()
	fixed.Fix(place, jsontree.NewString("*"))
	assert.Equal(t, "v1", usual.Put(real).At(place).Text)
	assert.Equal(t, "*", fixed.Put(real).At(place).Text)
}

// Only 12abc shows who reads 12 and finds it: a number that nothing has is not found either way.
func TestATextThatIsMadeOfAStandingValueIsMadeOfThatOfTheTarget(t *testing.T) {
	const place = "/id"
	for sent, want := range map[string]string{"1134017651abc": "12abc", "1134017651": "12", "113401765'1": "113401765'1", "x": "x"} {
		m := &Message{Op: &openapi.Operation{Bind: []string{place}}, Tree: jsontree.NewObject(jsontree.Member{Name: "id", Value: jsontree.NewNumber("1134017651")})}
		m.Bind()
		if sent != "1134017651" {
			m.Set(place, jsontree.NewString(sent))
		}
		assert.Equal(t, want, m.Put(map[string]*jsontree.Value{place: jsontree.NewNumber("12")}).At(place).Text, sent)
	}
}
