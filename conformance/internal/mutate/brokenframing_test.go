package mutate

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
)

const framedBody = `{"name":"a"}`

// received is what net/http reads as the body of a request that is framed so.
func received(t *testing.T, way reframed) (string, error) {
	t.Helper()
	fields, after := way([]byte(framedBody))
	head, err := exchange.BuildHead(exchange.UsualVersion, "POST", "/", append([]exchange.Field{{Name: "Host", Value: "a"}}, fields...))
	require.NoError(t, err)
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(append(head, after...))))
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r.Body)
	return string(b), err
}

// waysOf returns the framings of a kind.
func waysOf(t *testing.T, kind string) []reframed {
	t.Helper()
	for _, f := range framings {
		if f.kind == kind {
			return f.ways
		}
	}
	require.Fail(t, "no such kind", kind)
	return nil
}

func TestUnusualFramingCarriesTheWholeBody(t *testing.T) {
	for _, kind := range []string{"chunks-unusual", "length-and-chunks"} {
		for i, way := range waysOf(t, kind) {
			got, err := received(t, way)
			require.NoError(t, err, "%s %d", kind, i)
			assert.Equal(t, framedBody, got, "%s %d", kind, i)
		}
	}
	got, err := received(t, waysOf(t, "length-repeated")[0])
	require.NoError(t, err)
	assert.Equal(t, framedBody, got)
}

func TestMalformedFramingCannotBeRead(t *testing.T) {
	for _, kind := range []string{"lengths-differ", "length-too-large", "chunks-malformed", "chunks-end-early"} {
		for i, way := range waysOf(t, kind) {
			_, err := received(t, way)
			assert.Error(t, err, "%s %d", kind, i)
		}
	}
}

func TestAMalformedLengthIsNoNumber(t *testing.T) {
	for _, way := range waysOf(t, "length-malformed") {
		fields, after := way([]byte(framedBody))
		require.Len(t, fields, 1)
		_, err := strconv.ParseUint(fields[0].Value, 10, 62)
		assert.True(t, err != nil || fields[0].Value[0] == '+', "%q", fields[0].Value)
		assert.Equal(t, framedBody, string(after))
	}
}

func TestALengthThatIsTooSmallLeavesBytesBehind(t *testing.T) {
	for i, way := range waysOf(t, "length-too-small") {
		fields, after := way([]byte(framedBody))
		n := 0
		for _, f := range fields {
			n, _ = strconv.Atoi(f.Value)
		}
		assert.Less(t, n, len(after), "%d", i)
	}
}

func TestTheNextRequestTravelsApartFromBytesThatNobodyUnderstands(t *testing.T) {
	for _, p := range playedOf(t, brokenFraming) {
		require.Len(t, p.steps, 2)
		assert.Equal(t, message.AsIs, p.steps[0].Message.Framing)
		assert.Equal(t, message.Length, p.steps[1].Message.Framing)
		whole := p.class.Kind == "length-repeated" || p.class.Kind == "chunks-unusual"
		assert.Equal(t, !whole, p.steps[1].Fresh, p.class.Kind)
	}
}

func TestOnlyTheFirstClientEndsItsHalf(t *testing.T) {
	for _, p := range playedOf(t, halfClosed) {
		require.Len(t, p.steps, 2)
		assert.True(t, p.steps[0].Message.Ends)
		assert.Equal(t, p.class.Kind == "half-closed-refused", refused(p.steps[0].Message))
		assert.False(t, p.steps[1].Message.Ends)
		assert.True(t, p.steps[1].Fresh)
	}
}
