//go:build slow

package otherservers_test

import (
	"testing"

	"plantstore/conformance/internal/otherservers"
)

func TestNoWordingOfAnyDocumentChangesAVerdict(t *testing.T) {
	t.Parallel()
	const shared = "../../../testdata/openapi/"
	for _, w := range []worded{
		{shared + "orders.yaml", otherservers.Orders, "answer 200"},
		{shared + "readings.yaml", otherservers.Readings, "answer accepted null"},
		{shared + "desk.yaml", otherservers.Desk, "title long"},
		{shared + "parcels.yaml", otherservers.Parcels, "pair sealed"},
		{shared + "gates.yaml", otherservers.Gates, ""},
		{"testdata/library.yaml", otherservers.Library, "title length"},
		{"testdata/shipping.yaml", otherservers.Shipping, "carrier length"},
		{"testdata/hotel.yaml", otherservers.Hotel, "guest length"},
		{"testdata/notes.yaml", otherservers.Notes, "key"},
		{"testdata/club.yaml", otherservers.Club, "label length"},
		{"testdata/articles.yaml", otherservers.Articles, "place length"},
		{"testdata/albums.yaml", otherservers.Albums, "label stays for the next"},
		{"testdata/ballots.yaml", otherservers.Ballots, ""},
		{"testdata/debts.yaml", otherservers.Debts, "cents as text"},
		{"testdata/drawers.yaml", otherservers.Drawers, "asterisk"},
		{"testdata/minutes.yaml", otherservers.Minutes, "match is ignored"},
		{"testdata/payments.yaml", otherservers.Payments, "shows the payments of others"},
		{"testdata/rooms.yaml", otherservers.Rooms, "most below nine"},
		{"testdata/workshop.yaml", otherservers.Workshop, ""},
		{"testdata/cards.yaml", otherservers.Cards, ""},
		{"testdata/profiles.yaml", otherservers.Profiles, ""},
	} {
		t.Run(w.document, func(t *testing.T) {
			t.Parallel()
			same(t, w)
		})
	}
}
