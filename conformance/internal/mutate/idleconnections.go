package mutate

import (
	"time"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// idleTime is how long a connection is idle, idleLong the same where time matters less:
// longer than the usual five seconds of servers that close such a connection.
const (
	idleTime = time.Second
	idleLong = 6 * time.Second
)

var idleConnections = plan.Mutator{
	Name: "idle-connections",
	Doc:  "Uses a connection again that was idle for a second, and for six with --effort deep, because a server may close it, but must not fail or answer otherwise than before.",
	Classes: func(s *plan.Space) []plan.Class {
		after := func(kind string, idle time.Duration, expected plan.ExpectedClass, change func(m *message.Message)) plan.Class {
			c := several(kind, expected, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
				m := g.Baseline()
				change(m)
				return []plan.Step{{Message: g.Baseline(), Fresh: true}, {Message: m, Idle: idle}}
			})
			c.Phase, c.Waits = plan.Single, idle
			return c
		}
		usual := func(*message.Message) {}
		out := []plan.Class{after("idle", idleTime, plan.ExpectMustAccept, usual)}
		if s.Long {
			out = append(out, after("idle-long", idleLong, plan.ExpectMustAccept, usual))
		}
		if list := spoils(s); len(list) > 0 {
			out = append(out, after("idle-then-refused", idleTime, plan.ExpectNothing, list[0].apply))
		}
		if wrong := refusals(s); len(wrong) > 0 {
			out = append(out, after("idle-then-credential", idleTime, plan.ExpectRefusedCredential, func(m *message.Message) { m.Credentials = wrong[0].All() }))
		}
		return out
	},
}
