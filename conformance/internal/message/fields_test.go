package message_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

func TestTheOrderOfTheFieldsChangesNothingElseAndHostStaysFirst(t *testing.T) {
	doc := fake.Plants(t)
	m := doc.Plan.Preflight(doc.Op(), plan.Identity{Seed: 1}, 0).Baseline()
	usual := doc.Endpoint.Wire(m, "")
	for order, want := range map[message.Order]string{
		message.UsualOrder:      "Host User-Agent Accept Content-Type Authorization Content-Length",
		message.CredentialFirst: "Host Authorization User-Agent Accept Content-Type Content-Length",
		message.CredentialLast:  "Host User-Agent Accept Content-Type Content-Length Authorization",
		message.ContentTypeLast: "Host User-Agent Accept Authorization Content-Length Content-Type",
		message.ReverseOrder:    "Host Content-Length Authorization Content-Type Accept User-Agent",
	} {
		m.Order = order
		wire := doc.Endpoint.Wire(m, "")
		var names []string
		for _, line := range strings.Split(strings.TrimSuffix(string(wire.Head), "\r\n\r\n"), "\r\n")[1:] {
			name, _, _ := strings.Cut(line, ":")
			names = append(names, name)
		}
		assert.Equal(t, want, strings.Join(names, " "), order)
		assert.Len(t, wire.Head, len(usual.Head), order)
		assert.Equal(t, message.Accept, doc.Endpoint.Classify(m, wire).Expectation(), order)
		assert.Equal(t, order == message.UsualOrder, doc.Endpoint.Curl(m) != "", "curl writes the usual order alone")
	}
}
