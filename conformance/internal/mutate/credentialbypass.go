package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// trusted are fields by which a proxy or a gateway says who sends, and others
// that stand before a check.
var trusted = []headKind{
	{"user-field", fieldOf("X-Remote-User", "admin")}, {"remote-user-field", fieldOf("Remote-User", "admin")},
	{"forwarded-user-field", fieldOf("X-Forwarded-User", "admin")}, {"user-id-field", fieldOf("X-User-Id", "1")},
	{"consumer-field", fieldOf("X-Consumer-Username", "admin")}, {"real-ip-field", fieldOf("X-Real-IP", "127.0.0.1")},
	{"client-ip-field", fieldOf("True-Client-IP", "127.0.0.1")}, {"original-url-field", fieldOf("X-Original-URL", "/health")},
	{"preflight-field", fieldOf("Access-Control-Request-Method", "POST")}, {"requested-with-field", fieldOf("X-Requested-With", "XMLHttpRequest")},
	{"internal-field", fieldOf("X-Internal", "true")},
	{"probe-agent", fieldOf("User-Agent", "kube-probe/1.29", "ELB-HealthChecker/2.0", "GoogleHC/1.0", "Prometheus/2.53.0", "Googlebot/2.1", "curl/8.5.0")},
	{"local-host-field", fieldOf("X-Forwarded-Host", "localhost")}, {"cluster-ip-field", fieldOf("X-Cluster-Client-IP", "10.0.0.1")},
	{"debug-field", fieldOf("X-Debug", "1")}, {"skip-field", fieldOf("X-Skip-Auth", "true")},
	{"authenticated-user-field", fieldOf("X-Authenticated-User", "root")}, {"auth-user-field", fieldOf("X-Auth-User", "admin")}, {"plain-user-field", fieldOf("X-User", "admin")},
	{"auth-request-field", fieldOf("X-Auth-Request-User", "admin")}, {"forwarded-email-field", fieldOf("X-Forwarded-Email", "admin@a.example")},
	{"webauth-field", fieldOf("X-WEBAUTH-USER", "admin")}, {"role-field", fieldOf("X-Role", "admin")}, {"client-cert-field", fieldOf("X-SSL-Client-Verify", "SUCCESS")},
	{"via-field", fieldOf("Via", "1.1 proxy")}, {"principal-field", fieldOf("X-MS-CLIENT-PRINCIPAL-NAME", "admin")},
}

// bypassEach is how many forms of a head are tried without a credential.
const bypassEach = 2

// bypassTogether is how many known fields are tried at once: one is enough to be let in.
const bypassTogether = 4

var credentialBypass = plan.Mutator{
	Name: "credential-bypass",
	Doc:  "Sends no credential in a request that careless code lets past the check, such as another content type or a field of a proxy.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Auth.Required() {
			return nil
		}
		var out []plan.Class
		add := func(kind string, cases int, change func(g *generate.Gen, m *message.Message, draw int)) {
			absent := message.Attempt{Name: "absent", Presented: []message.Presented{}}
			out = append(out, presenting(s, absent, kind, plan.ExpectRefusedCredential, cases, func(g *generate.Gen, draw int) *message.Message {
				m := g.Baseline()
				change(g, m, draw)
				return m
			}))
		}
		if s.Op.HasJSON() {
			add("chunked", 1, func(_ *generate.Gen, m *message.Message, _ int) { m.Framing = message.Chunked })
			add("expect-continue", 1, func(_ *generate.Gen, m *message.Message, _ int) { m.Framing = message.Expect })
		}
		for _, k := range headKinds(s.Op) {
			if apart[k.kind] {
				continue
			}
			fields := spread(k.fields, bypassEach)
			add(k.kind, len(fields), func(g *generate.Gen, m *message.Message, draw int) {
				m.Fields = append(m.Fields, freshField(g, fields[draw]))
			})
		}
		for _, k := range trusted {
			add(k.kind, len(k.fields), func(_ *generate.Gen, m *message.Message, draw int) { m.Fields = append(m.Fields, k.fields[draw]) })
		}
		for _, k := range fieldGroups() {
			if k.kind == "credentials" {
				continue
			}
			packs := slices.Collect(slices.Chunk(k.proper(s.Op), bypassTogether))
			if len(packs) == 0 {
				continue
			}
			add("known-"+k.kind, len(packs), func(_ *generate.Gen, m *message.Message, draw int) { m.Fields = append(m.Fields, packs[draw]...) })
		}
		for _, p := range message.PathSpellings(s.Op.Path) {
			add(p.String(), 1, func(_ *generate.Gen, m *message.Message, _ int) { m.PathSpelling = p })
		}
		add("query", 1, func(_ *generate.Gen, m *message.Message, _ int) { m.Query = "x=1" })
		add("user-agent-absent", 1, func(_ *generate.Gen, m *message.Message, _ int) { m.Drop = append(m.Drop, "User-Agent") })
		return out
	},
}
