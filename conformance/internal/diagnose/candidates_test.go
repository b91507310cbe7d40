package diagnose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// All smaller texts of a large one together would fill the memory.
func TestSmallerValuesOfALargeTextAreMadeWhenAskedFor(t *testing.T) {
	text := strings.Repeat("é", 100_000)
	made := testing.AllocsPerRun(1, func() {
		for s := range shorter(text) {
			assert.Len(t, s, len(text)/2)
			break
		}
	})
	assert.Less(t, made, 100.0)
}

func TestEveryCharacterOfAShortTextIsLeftOutOnce(t *testing.T) {
	var got []string
	for s := range shorter("abc") {
		got = append(got, s)
	}
	assert.Equal(t, []string{"bc", "ac", "ab"}, got)
	for s := range shorter("é") {
		assert.Empty(t, s)
	}
	for range shorter("") {
		t.Error("nothing is smaller than nothing")
	}
}

func TestALargeBodyIsCutInPiecesAndLosesNothing(t *testing.T) {
	for _, body := range []string{"", "aé\xff", strings.Repeat("é", largeUnits)} {
		units := split([]byte(body))
		assert.Equal(t, body, string(join(units, nil)))
		assert.LessOrEqual(t, len(units), largeUnits)
	}
}

func TestCandidatesAreSmallerOrRemoveADefect(t *testing.T) {
	baseline := &message.Message{Tree: jsontree.NewObject(jsontree.M("id", jsontree.NewInt(7)), jsontree.M("name", jsontree.NewString("word12")))}
	m := &message.Message{Tree: jsontree.NewObject(jsontree.M("id", jsontree.NewString("77")), jsontree.M("more", jsontree.NewNull()))}
	var bodies []string
	for c := range candidates(m, baseline) {
		bodies = append(bodies, string(c.Body()))
	}
	for _, want := range []string{`{"more":null}`, `{"id":"77"}`, `{"id":7,"more":null}`, `{"id":"7","more":null}`, `{"id":"77","more":null,"name":"word12"}`} {
		assert.Contains(t, bodies, want)
	}
	assert.NotContains(t, bodies, string(m.Body()))
}
