package services_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services"
	"plantstore/testdata/wording"
)

// worded is a document with a right server and a faulty one, which breaks a MUST.
type worded struct {
	handler func(wrong string) http.Handler
	wrong   string
}

// common is where the documents are that other tests read too.
const common = "../../testdata/openapi/"

func everyDocument() map[string]worded {
	return map[string]worded{
		common + "desk.yaml":     {services.Desk, "title long"},
		common + "gates.yaml":    {services.Gates, "cookie prefix"},
		common + "orders.yaml":   {services.Orders, "lines many"},
		common + "parcels.yaml":  {services.Parcels, "pair sealed"},
		common + "readings.yaml": {services.Readings, "value low"},
		"testdata/accounts.yaml": {services.Accounts, "owner length"},
		"testdata/albums.yaml":   {services.Albums, "year range"},
		"testdata/articles.yaml": {services.Articles, "place length"},
		"testdata/badges.yaml":   {services.Badges, "picture required"},
		"testdata/ballots.yaml":  {services.Ballots, "name length"},
		"testdata/boxes.yaml":    {services.Boxes, "only the beginning of a key is read"},
		"testdata/cards.yaml":    {services.Cards, "front length"},
		"testdata/chores.yaml":   {services.Chores, "title length"},
		"testdata/club.yaml":     {services.Club, "label length"},
		"testdata/contact.yaml":  {services.Contact, "age most"},
		"testdata/contacts.yaml": {services.Contacts, `site :\d`},
		"testdata/debts.yaml":    {services.Debts, "cents as text"},
		"testdata/drawers.yaml":  {services.Drawers, "asterisk"},
		"testdata/garage.yaml":   {services.Garage, "plate length"},
		"testdata/guides.yaml":   {services.Guides, "tags size"},
		"testdata/hotel.yaml":    {services.Hotel, "guest length"},
		"testdata/library.yaml":  {services.Library, "title length"},
		"testdata/lockers.yaml":  {services.Lockers, "all read"},
		"testdata/minutes.yaml":  {services.Minutes, "match is ignored"},
		"testdata/notes.yaml":    {services.Notes, "key"},
		"testdata/payments.yaml": {services.Payments, "purpose length"},
		"testdata/profiles.yaml": {services.Profiles, "motto length"},
		"testdata/rooms.yaml":    {services.Rooms, "most below nine"},
		"testdata/seats.yaml": {func(wrong string) http.Handler {
			if wrong != "" {
				return services.Seats(http.StatusInternalServerError, "")
			}
			return services.Seats(http.StatusConflict, "")
		}, "a seat that is taken"},
		"testdata/shelves.yaml":  {func(wrong string) http.Handler { return services.Shelves(wrong != "") }, "all"},
		"testdata/shipping.yaml": {services.Shipping, "carrier length"},
		"testdata/sites.yaml":    {services.Sites, "name length"},
		"testdata/stamps.yaml":   {services.Stamps, "country length"},
		"testdata/tickets.yaml":  {services.Tickets, "fails at a parameter twice"},
		"testdata/tools.yaml":    {services.Tools, "count"},
		"testdata/visits.yaml":   {services.Visits, "no new, 400"},
		"testdata/workshop.yaml": {services.Workshop, "read of a broken tool"},
	}
}

// TestNoWordingOfADocumentChangesAVerdict judges both servers of every document by each wording of
// it, and compares what a document can require.
func TestNoWordingOfADocumentChangesAVerdict(t *testing.T) {
	t.Parallel()
	_, other := services.Tenants()
	for document, w := range everyDocument() {
		by := func(t *testing.T, how func(string) string, wrong string) *report.Report {
			t.Helper()
			spec, err := os.ReadFile(document)
			require.NoError(t, err)
			text, err := wording.Reword(spec, how)
			require.NoError(t, err)
			config := conformance.Config{Token: services.Key}
			switch filepath.Base(document) {
			case "stamps.yaml":
				config.Only = []string{"post-stamps/*"} // its servers read queries loosely
			case "gates.yaml":
				config = conformance.Config{Auth: services.Credentials()}
			case "lockers.yaml":
				one, _ := services.Tenants()
				config = conformance.Config{Token: one, AuthOther: map[string]string{"key": other}}
			}
			return byDocument(t, document, text, w.handler(wrong), config)
		}
		var once sync.Once
		var plain [2]*report.Report
		for name, how := range wording.Ways() {
			t.Run(filepath.Base(document)+" "+name, func(t *testing.T) {
				t.Parallel()
				sample.OneIn(t, oneIn*2/3)
				same := func(said string) string { return said }
				once.Do(func() {
					plain = [2]*report.Report{by(t, same, ""), by(t, same, w.wrong)}
				})
				for i, wrong := range []string{"", w.wrong} {
					is, r := plain[i], by(t, how, wrong)
					assert.Equal(t, i == 1, slices.ContainsFunc(is.Results, broken), "%q: %s", wrong, shown(t, is))
					differ := wording.Differences(is, r)
					if len(differ) > 0 {
						// A case may meet what another one of a faulty server left. Only what differs each time is due to the wording.
						again := wording.Differences(by(t, same, wrong), by(t, how, wrong))
						differ = slices.DeleteFunc(differ, func(d string) bool { return !slices.Contains(again, d) })
					}
					assert.Empty(t, differ, "%q", wrong)
					assert.Equal(t, is.Summary.Verdict, r.Summary.Verdict, "%q: %s", wrong, shown(t, r))
				}
			})
		}
	}
}

func broken(x report.Result) bool { return x.Level == report.Must && x.Verdict == report.Fail }

func TestEveryDocumentHasItsServersInTheTestOfWordings(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{common, "testdata/"} {
		files, err := filepath.Glob(dir + "*.yaml")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			assert.Contains(t, everyDocument(), file)
		}
	}
}

// TestNoWordingOfADocumentChangesWhatIsPlanned compares the cases for each requirement: what only a
// text makes counts for none that the document states.
func TestNoWordingOfADocumentChangesWhatIsPlanned(t *testing.T) {
	t.Parallel()
	documents := slices.Collect(maps.Keys(everyDocument()))
	for _, document := range append(documents, "../../spec/openapi.yaml", "../../reference/services/crud/openapi.yaml") {
		t.Run(filepath.Base(filepath.Dir(document))+" "+filepath.Base(document), func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, oneIn*2/3)
			spec, err := os.ReadFile(document)
			require.NoError(t, err)
			planned := func(how func(string) string) map[string]report.ListingEntry {
				text, err := wording.Reword(spec, how)
				require.NoError(t, err)
				l, err := conformance.List(t.Context(), conformance.Config{Spec: text, SpecName: document, Effort: "gate"})
				require.NoError(t, err)
				out := map[string]report.ListingEntry{}
				for _, e := range l.Requirements {
					if e.Level == report.Must || e.Level == report.Should {
						slices.Sort(e.Sent)
						out[string(e.Level)+" "+e.Requirement] = report.ListingEntry{Rule: e.Rule, Cases: e.Cases, Sent: e.Sent}
					}
				}
				return out
			}
			is := planned(func(said string) string { return said })
			for name, how := range wording.Ways() {
				assert.Equal(t, is, planned(how), name)
			}
		})
	}
}
