package message

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

func TestChunksEndInsideCharactersOrBehindEachByte(t *testing.T) {
	assert.Equal(t, []int{2, 3}, insideCharacters([]byte("aé植b")))
	assert.Equal(t, []int{1, 1, 1}, insideCharacters([]byte("a b")))
	assert.Len(t, insideCharacters([]byte(strings.Repeat("a", 1000))), mostChunks)
}

func TestABodyIsCutInsideACharacterOrBetweenBlanks(t *testing.T) {
	assert.Equal(t, 2, insideCharacter([]byte("aéb  c")))
	assert.Equal(t, 2, insideCharacter([]byte("a  bcdef")))
	assert.Equal(t, 3, insideCharacter([]byte("abcdef")))
}

func TestAGapStandsBehindTheColonsOfFieldsAlone(t *testing.T) {
	head := []byte("POST /a: HTTP/1.1\r\nHost: b: c\r\nX:\r\n\r\n")
	assert.Equal(t, string(head), string(OneBlank.in(head)))
	assert.Equal(t, "POST /a: HTTP/1.1\r\nHost:b: c\r\nX:\r\n\r\n", string(NoBlank.in(head)))
}

func TestARequestWithAnExpectationOfItsOwnIsTheLastOnItsConnection(t *testing.T) {
	e := &Endpoint{Auth: func(*openapi.Operation) *Auth { return nil }}
	m := &Message{Op: &openapi.Operation{Method: "POST", Path: "/"}, Raw: []byte("{}")}
	assert.False(t, e.render(m, "", false).Alone)
	m.Fields = []exchange.Field{{Name: "expect", Value: "200-ok"}}
	assert.True(t, e.render(m, "", false).Alone)
}
