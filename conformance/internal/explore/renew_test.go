package explore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
)

// expiring plays with a target that accepts one credential, and another one after a
// renewal. Renewed counts the renewals.
func expiring(t *testing.T, play func(s scene, expire func(), renewed *int)) {
	t.Helper()
	current, renewed := "first-4fQ", 0
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if fake.Field(c.Request, "Authorization") != "Bearer "+current {
			return fake.Answer(401, "", "")
		}
		return fake.Answer(200, "application/json", string(c.Body))
	}
	script(t, serve, func(s scene) {
		scheme := s.Op().Security[0][0].Name
		s.Document.Endpoint.Keys = message.NewKeys(map[string]string{scheme: current})
		s.Renew = func(context.Context) bool {
			renewed++
			s.Document.Endpoint.Keys.Renew(map[string]string{scheme: current})
			return true
		}
		play(s, func() { current = "second-8kW" }, &renewed)
	})
}

func TestACredentialThatWasAcceptedIsRenewedOnceItIsRefused(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Zero(t, *renewed)
		expire()
		assert.Equal(t, 200, status(s.send(s.baseline())), "sent again with the new one")
		assert.Equal(t, 1, *renewed)
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Equal(t, 1, *renewed)
	})
}

func TestACredentialThatWasNeverAcceptedIsNotRenewed(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		expire()
		assert.Equal(t, 401, status(s.send(s.baseline())))
		assert.Zero(t, *renewed)
	})
}

func TestTheRefusalOfAWrongCredentialRenewsNothing(t *testing.T) {
	expiring(t, func(s scene, _ func(), renewed *int) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Equal(t, 401, status(s.send(s.wrong())))
		absent := s.baseline()
		absent.Credentials = []message.Presented{}
		assert.Equal(t, 401, status(s.send(absent)))
		assert.Zero(t, *renewed)
	})
}

func TestARequestMadeBeforeARenewalIsSentAgainWithoutAnotherOne(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		expire()
		late := 0
		s.ServeCall = func(c fake.Call) *exchange.Exchange {
			if late++; late == 1 { // another request renews meanwhile
				s.Renew(t.Context())
				return fake.Answer(401, "", "")
			}
			return fake.Answer(200, "application/json", string(c.Body))
		}
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Equal(t, 1, *renewed)
	})
}

// It was on its way before the answer to the request in front of it could tell that the
// credential had expired, which another request has renewed since.
func TestARequestBehindAnotherOneIsSentAgainAloneBeforeItsCredentialIsRenewed(t *testing.T) {
	expiring(t, func(s scene, expire func(), renewed *int) {
		behind := s.baseline()
		behind.Behind = true
		assert.Equal(t, 200, status(s.send(s.baseline())))
		serve, late := s.ServeCall, true
		s.ServeCall = func(c fake.Call) *exchange.Exchange {
			if late {
				late = false
				return fake.Answer(401, "", "")
			}
			return serve(c)
		}
		assert.Equal(t, 200, status(s.send(behind)))
		assert.Zero(t, *renewed)
		expire()
		assert.Equal(t, 200, status(s.send(behind)), "alone it is refused too")
		assert.Equal(t, 1, *renewed)
	})
}
