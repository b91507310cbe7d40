package diagnose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
)

const (
	baselinePlant = `{"id":7,"name":"fern2"}`
	badPlant      = `{"id":"7","name":"fern2"}`
)

func TestShrinkingKeepsWhatARequestIs(t *testing.T) {
	d := fake.Plants(t)
	sent := func(body string) *message.Sent {
		m := &message.Message{Op: d.Op(), Raw: []byte(body)}
		return d.Endpoint.Classify(m, d.Endpoint.Wire(m, "case"))
	}
	assert.True(t, alike(sent(badPlant), sent(`{"id":"","name":"a2"}`)))
	for _, other := range []string{baselinePlant, "", "{", `{"id":-1,"name":"fern2"}`} {
		assert.False(t, alike(sent(badPlant), sent(other)), other)
	}
	small, large := &message.Message{Raw: []byte(badPlant)}, &message.Message{Raw: []byte(`{"id":"7","name":8}`)}
	assert.Less(t, size(small, sent(badPlant)), size(large, sent(`{"id":"7","name":8}`)), "one defect is smaller than two, whatever the bytes")
}
