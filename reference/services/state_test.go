package services_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/internal/sample"
	"plantstore/reference/kit"
	"plantstore/reference/services"
	"plantstore/reference/services/crud"
)

// made are the requests that a user sent before a run, by document: method, path and body.
func made() map[string][]string {
	return map[string][]string{
		"accounts.yaml": {`POST /openings {"owner":"ann"}`, `POST /openings {"owner":"bob"}`},
		"albums.yaml":   {`POST /albums {"title":"one","label":"x"}`, `POST /albums {"title":"two","year":1999}`},
		"articles.yaml": {`POST /articles {"title":"one","lead":"x"}`, `POST /articles {"title":"two"}`, `POST /articles/4718282/submission {}`},
		"ballots.yaml":  {`POST /ballots {"name":"one","note":"x"}`, `POST /ballots {"name":"two"}`, `POST /ballots/2/open`},
		"boxes.yaml":    {`POST /boxes {"title":"one"}`, `POST /labels {"title":"one"}`, `POST /seals {"title":"one"}`, `POST /notes {"title":"one"}`},
		"cards.yaml":    {`POST /cards {"front":"one","back":"x"}`, `POST /cards {"front":"two"}`},
		"chores.yaml":   {`POST /chores {"title":"one","room":"attic","who":"ann"}`},
		"club.yaml":     {`POST /teams {"name":"one"}`, `POST /teams/4718282/members {"nick":"ann"}`, `POST /teams/4718282/members/4718282/badges {"label":"x"}`},
		"contacts.yaml": {`POST /contacts {"mail":"a@b.example"}`},
		"debts.yaml":    {`POST /debts {"start":"2031-01-01T00:00:00Z","end":"2032-01-01T00:00:00Z"}`, `POST /debts/1/send`, `POST /debts/1/payments {"cents":5}`},
		"drawers.yaml":  {`PUT /drawers/mine {"label":"x"}`},
		"garage.yaml":   {`POST /vehicles {"kind":"car","plate":"x"}`, `POST /vehicles {"kind":"trailer","frame":"x"}`},
		"guides.yaml":   {`POST /guides {"title":"one","tags":["x"]}`, `POST /guides/1/comments {"text":"x"}`},
		"hotel.yaml":    {`POST /rooms/B-204/bookings {"guest":"ann"}`},
		"library.yaml":  {`POST /authors {"name":"ann"}`, `POST /books {"title":"one","authorId":4718282}`},
		"lockers.yaml":  {`POST /lockers {"label":"one"}`, `POST /lockers {"label":"two"}`},
		"minutes.yaml":  {`POST /minutes {"text":"one"}`},
		"notes.yaml":    {`PUT /notes/mine {"text":"one"}`},
		"payments.yaml": {`POST /accounts {"owner":"ann"}`, `POST /payments {"account_id":4718282,"purpose":"x"}`},
		"profiles.yaml": {`PUT /profiles/ann {"handle":"ann","motto":"x"}`},
		"rooms.yaml":    {`POST /rooms {"label":"one"}`, `POST /guests {"nick":"ann"}`},
		"seats.yaml":    {`POST /bookings {"seat":"A1"}`},
		"shelves.yaml":  {`PUT /rooms/hall/shelves/mine {"label":"x"}`},
		"shipping.yaml": {`POST /orders {"item":"one"}`, `POST /orders {"item":"two"}`, `POST /orders/4718283/payment {"card":"x"}`},
		"sites.yaml":    {`POST /sites {"code":"x","name":"one"}`},
		"stamps.yaml":   {`POST /stamps {"country":"x","cents":5}`, `POST /letters {"country":"x","cents":5}`, `POST /postcards {"country":"x","cents":5}`},
		"tickets.yaml":  {`POST /tickets {"title":"one"}`},
		"tools.yaml":    {`POST /tools {"kind":"saw","owner":"ann","teeth":5}`},
		"visits.yaml":   {`POST /visits {"guest":"ann"}`},
		"workshop.yaml": {`POST /tools {"name":"one"}`, `POST /tools {"name":"two"}`, `POST /loans {"toolId":1,"who":"ann"}`, `POST /tools/2/retirement`},
	}
}

// stays says of each document why what a run makes is there after it: nothing can take it away.
// What was there before is compared all the same.
func stays() map[string]string {
	no := "the document has no DELETE"
	return map[string]string{"articles.yaml": no, "cards.yaml": no, "chores.yaml": no, "club.yaml": no, "contacts.yaml": no, "debts.yaml": no,
		"garage.yaml": no, "guides.yaml": no, "hotel.yaml": no, "library.yaml": no, "minutes.yaml": no, "payments.yaml": no, "profiles.yaml": no,
		"seats.yaml": no, "shipping.yaml": no, "sites.yaml": no, "stamps.yaml": no, "tickets.yaml": no, "visits.yaml": no,
		"rooms.yaml": "nothing deletes guests"}
}

// incomparable says of the other documents why there is nothing to compare.
func incomparable() map[string]string {
	no := "it stores nothing"
	return map[string]string{"desk.yaml": no, "gates.yaml": no, "orders.yaml": "it counts orders, and no request tells how many", "parcels.yaml": no,
		"badges.yaml": no, "contact.yaml": no, "readings.yaml": "it counts what was sent, and takes nothing of it back alone"}
}

// without lists the lines of one state that another one lacks.
func without(one, other []string) []string {
	return slices.DeleteFunc(slices.Clone(one), func(line string) bool { return slices.Contains(other, line) })
}

// commands are those that send requests.
func commands() map[string]func(ctx context.Context, c conformance.Config) error {
	return map[string]func(ctx context.Context, c conformance.Config) error{
		"run":   func(ctx context.Context, c conformance.Config) error { _, err := conformance.Run(ctx, c); return err },
		"reach": func(ctx context.Context, c conformance.Config) error { _, err := conformance.Reach(ctx, c); return err },
		"propose": func(ctx context.Context, c conformance.Config) error {
			_, err := conformance.Propose(ctx, c)
			return err
		},
	}
}

// cost says of how many services one is tried: reach sends the least.
func cost(command string) int {
	if command == "reach" {
		return oneIn / 8
	}
	return oneIn
}

func TestNoCommandLeavesAServiceInAnotherState(t *testing.T) {
	t.Parallel()
	for file, w := range everyDocument() {
		document := filepath.Base(file)
		if incomparable()[document] != "" {
			continue
		}
		for name, command := range commands() {
			t.Run(document+" "+name, func(t *testing.T) {
				t.Parallel()
				sample.OneIn(t, cost(name))
				service, ok := w.handler("").(kit.Stateful)
				require.True(t, ok)
				for _, one := range made()[document] {
					asked(t, service, one)
				}
				before := service.State()
				require.NotEmpty(t, before)
				spec, err := os.ReadFile(file)
				require.NoError(t, err)
				server := httptest.NewServer(service)
				one, _ := services.Tenants()
				c := conformance.Config{Target: server.URL, Spec: spec, SpecName: document, Token: services.Key, Effort: "gate", Draws: -1, Cache: shared, MaxTime: time.Hour}
				switch document {
				case "lockers.yaml":
					c.Token = one
				case "accounts.yaml":
					c.ValuesFile, c.ValuesName = []byte(frozen), "values.yaml" // the document does not tell
				}
				err = command(t.Context(), c)
				server.Close()
				require.NoError(t, err)
				after := service.State()
				assert.Empty(t, without(before, after), "changed or lost; now: %s", strings.Join(after[:min(len(after), 20)], "\n"))
				if stays()[document] == "" {
					assert.Empty(t, without(after, before), "left behind")
				}
			})
		}
	}
}

// asked sends a request of a user.
func asked(t *testing.T, h http.Handler, request string) {
	t.Helper()
	method, rest, _ := strings.Cut(request, " ")
	path, body, _ := strings.Cut(rest, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	one, _ := services.Tenants()
	for field, value := range map[string]string{"Content-Type": "application/json", "X-Locker-Key": one, "X-Tenant-Id": "acme",
		"X-Request-Id": fmt.Sprintf("00000000-0000-4000-8000-%012x", len(request)), "Authorization": "Bearer " + services.Key} {
		r.Header.Set(field, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Less(t, w.Code, 300, "%s: %s", request, w.Body.String())
}

func TestNoCommandLeavesTheCRUDServiceInAnotherState(t *testing.T) {
	t.Parallel()
	for name, command := range commands() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, cost(name))
			service, err := crud.Start("127.0.0.1:0")
			require.NoError(t, err)
			defer service.Close()
			accepted := crud.DefaultCredentials()
			c := conformance.Config{Target: service.URL, Spec: crud.Document(), SpecName: "crud", Requirements: crud.Requirements(), Draws: -1, Cache: shared, MaxTime: time.Hour,
				Auth: map[string]string{"bearer": accepted.Bearer, "deskKey": accepted.DeskKey, "queryKey": accepted.QueryKey}, Keep: true}
			_, err = conformance.Reach(t.Context(), c)
			require.NoError(t, err)
			before := service.State()
			require.NotEmpty(t, before)
			c.Keep, c.Seed = false, 2
			if name == "propose" {
				c.Requirements = nil
			}
			require.NoError(t, command(t.Context(), c))
			after := service.State()
			assert.Empty(t, without(before, after), "changed or lost")
			left := slices.DeleteFunc(without(after, before), func(line string) bool {
				return strings.HasPrefix(line, "user ") || strings.HasPrefix(line, "file ") // nothing deletes them
			})
			assert.Empty(t, left, "left behind")
		})
	}
}
