package request

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// The text that stands for a tag may be an asterisk by chance, and one that is meant stays.
func TestAFixedValueIsNotReplacedEvenIfTheSameOneStoodForThatOfTheTarget(t *testing.T) {
	const place = "/tag"
	asterisk := func() *Message {
		m := &Message{Op: &contract.Operation{Bind: []string{place}}, Tree: jsontree.NewObject(jsontree.Member{Name: "tag", Value: jsontree.NewString("*")})}
		m.Bind()
		return m
	}
	real := map[string]*jsontree.Value{place: jsontree.NewString("v1")}
	usual, fixed := asterisk(), asterisk()
	fixed.Fix(place, jsontree.NewString("*"))
	assert.Equal(t, "v1", usual.Put(real).At(place).Text)
	assert.Equal(t, "*", fixed.Put(real).At(place).Text)
}
