package explore_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/otherservers"
)

func TestWhatMustComeFirstIsSentAboutAThingThatTheCaseMadeItself(t *testing.T) {
	text, err := os.ReadFile("../otherservers/testdata/shipping.yaml")
	require.NoError(t, err)
	w := learned(t, string(text), otherservers.Shipping(""))
	s := w.Session()
	defer s.Close()
	add, ship := w.Fresh(w.op("addOrder")).Baseline(), w.Fresh(w.op("shipOrder")).Baseline()
	order := explore.MadeBy(add, w.Send(t.Context(), s, add, "case", "case"))
	require.NoError(t, w.BindTo(t.Context(), s, ship, order))
	before := len(w.Sent())
	require.NoError(t, w.Ready(t.Context(), s, ship, order))
	assert.Equal(t, []string{"POST /orders/" + ship.At("path/orderId").Text + "/payment"}, w.lines()[before:])
	require.NoError(t, w.Ready(t.Context(), s, ship, explore.MadeBy(ship, w.Send(t.Context(), s, ship, "case", "case"))))
	assert.Len(t, w.Sent(), before+2, "it is shipped, and no payment is sent for what is made beside it")
}
