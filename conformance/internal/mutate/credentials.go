package mutate

import (
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// usualWrongs are the attempts that the usual mistakes let in.
var usualWrongs = []string{"absent", "wrong-invalid", "bare-token", "other-scheme-basic", "other-scheme-bearer", "prefix-half", "longer-by-one", "elsewhere-query", "elsewhere-header", "password-left-out", "password-swapped-case"}

const (
	withValidBody   = 2
	withInvalidBody = 1
)

var credentials = plan.Mutator{
	Name: "credentials",
	Doc:  "Sends every wrong or unusual credential of the security scheme, with valid and invalid bodies, because a check can compare too little of it.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Auth.Required() {
			return nil
		}
		spoilt := s.Op.HasJSON() && s.Op.Body.Shape.Read([]byte("{}")).Kind == schema.Invalid
		var out []plan.Class
		for _, a := range s.Auth.Attempts() {
			c, _ := s.Auth.Wrong(a, sampleToken)
			expected := expectedOf(c)
			with := func(kind string, cases int, build func(g *plan.Gen) *message.Message) {
				class := presenting(s, a, kind, expected, cases, func(g *plan.Gen, _ int) *message.Message { return build(g) })
				if a.Name == "absent" && kind == validBody {
					class.Phase = plan.Single // nobody counts it as an attempt to guess one
				}
				class.Subject = fmt.Sprint("credential ", a.Prefix, c)
				if s.Max != 1 && kind == validBody && slices.Contains(usualWrongs, a.Name) {
					class.First = 1
				}
				out = append(out, class)
			}
			with(validBody, withValidBody, (*plan.Gen).Baseline)
			// A check that looks at some bodies only is missed by baseline ones.
			if plainly(a.Name) && s.Op.HasJSON() && s.Op.Body.Shape.Schema.Type() == "object" {
				for _, c := range harmlessChanges {
					with("body-"+c.name, 1, func(g *plan.Gen) *message.Message {
						m := g.Baseline()
						c.add(s, g, m)
						return m
					})
				}
			}
			if spoilt {
				with("invalid-body", withInvalidBody, func(g *plan.Gen) *message.Message {
					m := g.Baseline()
					m.Tree = jsontree.NewObject()
					return m
				})
			}
		}
		return out
	},
}

// validBody is the kind of a class whose requests are right but for the credential.
const validBody = "valid-body"

// presenting makes a class of requests that carry what an attempt presents.
func presenting(s *plan.Space, a message.Attempt, kind string, expected message.Expectation, cases int, build func(g *plan.Gen, draw int) *message.Message) plan.Class {
	c := single(credentialed(a, kind, expected), cases, func(g *plan.Gen, draw int) *message.Message {
		m := build(g, draw)
		m.Credentials = a.All()
		return m
	})
	return c
}

// credentialed starts a class about an attempt.
func credentialed(a message.Attempt, kind string, expected message.Expectation) plan.Class {
	c := of(plan.FamilyCredential, plan.Place{Name: a.Slug()}, kind)
	c.Expected, c.Phase = expected, plan.Credential
	return c
}

// plainly reports whether an attempt is typical of its kind: no credential, or a
// well-formed wrong one.
func plainly(name string) bool {
	return name == "absent" || name == "wrong-invalid" || name == "bare-token" || name == "longer-by-one"
}

// sampleToken replaces the valid token while classes are made. An attempt is of the
// same kind for every token that it is useful for.
const sampleToken = "aB3dE5:fG7hJ9kM1nP"

// expectedOf says what a credential is: those that a server may take expected less.
func expectedOf(c message.Credential) message.Expectation {
	switch e := c.Expectation(); {
	case c == message.CredentialOther:
		return message.Unstated
	case e == message.Anything:
		return message.Either
	default:
		return e
	}
}

// alternativeEach is how often each alternative is sent.
const alternativeEach = 2

var credentialAlternatives = plan.Mutator{
	Name: "credential-alternatives",
	Doc:  "Sends the valid credentials of each other alternative of the security, or none where the document allows that, because each is enough.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, a := range s.Auth.Others() {
			out = append(out, presenting(s, a, validBody, message.Either, alternativeEach, func(g *plan.Gen, _ int) *message.Message {
				return g.Baseline()
			}))
		}
		return out
	},
}

// otherSchemeEach is how often each credential of another scheme is sent.
const otherSchemeEach = 2

var credentialOtherSchemes = plan.Mutator{
	Name: "credential-other-schemes",
	Doc:  "Sends the valid credential of a security scheme that other operations ask for and this one does not, because a check that all operations share lets it in.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, a := range s.Auth.OtherSchemes(s.Given) {
			out = append(out, presenting(s, a, validBody, message.RefuseCredential, otherSchemeEach, func(g *plan.Gen, _ int) *message.Message {
				return g.Baseline()
			}))
		}
		return out
	},
}

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
		add := func(kind string, cases int, change func(g *plan.Gen, m *message.Message, draw int)) {
			absent := message.Attempt{Name: "absent", Presented: []message.Presented{}}
			out = append(out, presenting(s, absent, kind, message.RefuseCredential, cases, func(g *plan.Gen, draw int) *message.Message {
				m := g.Baseline()
				change(g, m, draw)
				return m
			}))
		}
		if s.Op.HasJSON() {
			add("chunked", 1, func(_ *plan.Gen, m *message.Message, _ int) { m.Framing = message.Chunked })
			add("expect-continue", 1, func(_ *plan.Gen, m *message.Message, _ int) { m.Framing = message.Expect })
		}
		for _, k := range headKinds(s.Op) {
			if apart[k.kind] {
				continue
			}
			fields := spread(k.fields, bypassEach)
			add(k.kind, len(fields), func(g *plan.Gen, m *message.Message, draw int) {
				m.Fields = append(m.Fields, freshField(g, fields[draw]))
			})
		}
		for _, k := range trusted {
			add(k.kind, len(k.fields), func(_ *plan.Gen, m *message.Message, draw int) { m.Fields = append(m.Fields, k.fields[draw]) })
		}
		for _, k := range fieldGroups() {
			if k.kind == "credentials" {
				continue
			}
			packs := slices.Collect(slices.Chunk(k.proper(s.Op), bypassTogether))
			if len(packs) == 0 {
				continue
			}
			add("known-"+k.kind, len(packs), func(_ *plan.Gen, m *message.Message, draw int) { m.Fields = append(m.Fields, packs[draw]...) })
		}
		for _, p := range message.PathSpellings(s.Op.Path) {
			add(p.String(), 1, func(_ *plan.Gen, m *message.Message, _ int) { m.PathSpelling = p })
		}
		add("query", 1, func(_ *plan.Gen, m *message.Message, _ int) { m.Query = "x=1" })
		add("user-agent-absent", 1, func(_ *plan.Gen, m *message.Message, _ int) { m.Drop = append(m.Drop, "User-Agent") })
		return out
	},
}

// uncheckedBodies are those for which code can answer before it looks at the
// credential.
var uncheckedBodies = []struct{ kind, body string }{{"empty-body", ""}, {"malformed-body", "{"}, {"null-body", "null"}}

// longBlanks are before each member of a long body.
var longBlanks = []int{1 << 10, 6 << 10}

// tokenQueries carry a token that is wrong: a valid one would be in the logs of
// every proxy (RFC 6750, 5.3).
var tokenQueries = []string{"access_token=invalid", "token=invalid", "api_key=invalid", "auth=invalid"}

var credentialInContext = plan.Mutator{
	Name: "credential-in-context",
	Doc:  "Sends wrong credentials with an empty, malformed or long body, and a wrong token in the query, because code can answer such requests without a check.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Auth.Required() {
			return nil
		}
		var out []plan.Class
		for _, a := range s.Auth.Attempts() {
			for _, b := range uncheckedBodies {
				if s.Op.HasJSON() && plainly(a.Name) {
					out = append(out, presenting(s, a, b.kind, message.RefuseCredential, 1, changed(func(m *message.Message, _ int) {
						m.Tree, m.Raw = nil, []byte(b.body)
					})))
				}
			}
			if s.Op.HasJSON() && plainly(a.Name) {
				out = append(out, presenting(s, a, "long-body", message.RefuseCredential, len(longBlanks), changed(func(m *message.Message, draw int) {
					m.Style = jsontree.Style{Indent: strings.Repeat(" ", longBlanks[draw]), After: "\n"}
				})))
			}
			if a.Name == "absent" {
				out = append(out, presenting(s, a, "token-in-query", message.RefuseCredential, len(tokenQueries), changed(func(m *message.Message, draw int) {
					m.Query = tokenQueries[draw]
				})))
			}
		}
		return out
	},
}

// crossedWrongs are one attempt of each kind: none, another scheme, a fixed word, and what
// the usual mistakes take for the valid credential. A scheme has some of them.
var crossedWrongs = []string{
	"absent", "empty", "scheme-alone", "other-scheme-basic", "other-scheme-bearer", "bare", "bare-token", "scheme-run-together", "two-fields-wrong-both",
	"wrong-invalid", "wrong-sql-or", "prefix-half", "longer-by-one", "upper-case", "doubled", "last-changed", "elsewhere-x-access-token",
}

// crossedFramings are tried in turns, so that each meets each credential and each body.
var crossedFramings = []message.Framing{message.Length, message.Chunked, message.Pieces, message.Expect, message.HeadPieces}

var credentialCrossings = plan.Mutator{
	Name: "credential-crossings",
	Doc:  "Sends every kind of wrong credential with every kind of body that must be refused, in every framing, because code can find one of them and forget the others.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Auth.Required() || !s.Op.HasJSON() {
			return nil
		}
		bodies := refusedBodies(s)
		if len(bodies) == 0 {
			return nil
		}
		var out []plan.Class
		for _, a := range s.Auth.Attempts() {
			if c, _ := s.Auth.Wrong(a, sampleToken); expectedOf(c) != message.RefuseCredential || !slices.Contains(crossedWrongs, a.Name) {
				continue
			}
			turn := len(out)
			out = append(out, presenting(s, a, "crossed", message.RefuseCredential, len(bodies), func(g *plan.Gen, draw int) *message.Message {
				m := corrupted(g, bodies, draw)
				m.Framing = crossedFramings[(turn+draw)%len(crossedFramings)]
				return m
			}))
		}
		return out
	},
}

// crossedMembers is how many bodies with a wrong or missing member are tried.
const crossedMembers = 4

// refusedBodies change a baseline message into one that must be refused: one of each kind.
func refusedBodies(s *plan.Space) []func(m *message.Message) {
	members := spoilers(s)
	members = members[:max(0, min(len(members)-1, crossedMembers))] // the last one cuts the body, which is below too
	tree := func(v *jsontree.Value) func(m *message.Message) {
		return func(m *message.Message) { m.Tree = v.Clone() }
	}
	raw := func(change func(b []byte) []byte) func(m *message.Message) {
		return func(m *message.Message) { m.Raw = change(slices.Clone(m.Body())) }
	}
	with := func(text string) func(m *message.Message) {
		return raw(func([]byte) []byte { return []byte(text) })
	}
	return append(members, refusing(s, []func(m *message.Message){
		tree(jsontree.NewObject()), tree(jsontree.NewArray()), tree(jsontree.NewString("x")), tree(jsontree.NewNull()),
		with(""), with("{"), with("name=x"),
		raw(func(b []byte) []byte { return b[:len(b)/2] }),
		raw(func(b []byte) []byte { return append(b, '}') }),
		raw(func(b []byte) []byte { return append(b[:len(b)-1], strings.Repeat(" ", 9<<10)...) }),
	})...)
}
