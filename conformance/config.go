package conformance

import (
	"context"
	"io"
	"io/fs"
	"time"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// Config says what to test and how. Only Target or Server is required, and Token if the
// document has a security scheme.
type Config struct {
	// Target is the base URL of the implementation under test. It may have a path
	// prefix, but no user info, query or fragment.
	Target string
	// Server is the number, from 1, of the server of the document that is the target if
	// Target is empty. ServerVariables are values of the variables in its URL; the others
	// have their defaults.
	Server          int
	ServerVariables map[string]string
	// Embedded says in the report that the caller started the target itself.
	Embedded bool
	// Spec is the OpenAPI document (YAML or JSON), and Requirements the requirements
	// file that goes with it. SpecName and RequirementsName name them in messages.
	// If Spec is empty, both are those of the plant store. Without Requirements, the
	// requirements are derived from Spec alone.
	Spec, Requirements         []byte
	SpecName, RequirementsName string
	// Location is the path or the address of Spec. Its references are relative to it, and
	// the URLs of its servers are relative to an address.
	Location string
	// AllowRef are the beginnings of addresses, and folders, that references of the
	// document may lead to beside Files. Without them such a reference is left out by name.
	AllowRef []string
	// Files is the folder of the document, if it may refer to other files below it.
	// Without Files, such a reference is left out by name.
	Files fs.FS
	// Values are values that the target accepts, each written as
	// [OPERATION:]PLACE=VALUE. The place is a pointer to a member of a request body, or
	// a parameter such as query/limit.
	Values []string
	// ValuesFile is a file of values, ways to values and operations that cannot be
	// reached. ValuesName names it in messages. Values replace what it says of the same
	// place.
	ValuesFile []byte
	ValuesName string
	// Token is the credential that the target accepts, of every security scheme that
	// has none in Auth.
	Token string
	// Auth are the credentials of single schemes, by their names in the document: a
	// token, a key, or user:password.
	Auth map[string]string
	// AuthAlways sends the credentials that were given with operations too for which the document
	// asks for none.
	AuthAlways bool
	// AuthOther are the credentials of another principal. What one of the two makes, the
	// other one must neither read, change nor delete, where the document lists 403 or 404.
	// Give them only if things belong to those who make them.
	AuthOther map[string]string
	// Getenv, if set, finds the credential of a scheme that has none in Auth, in the
	// environment variable CONFORMANCE_AUTH_NAME, and that of another principal in
	// CONFORMANCE_AUTH_OTHER_NAME.
	Getenv func(variable string) string
	// Renew gives credentials of single schemes: at the start, and when the target
	// refuses one that it accepted before.
	Renew map[string]func(context.Context) (string, error)
	// Cert and Key are the client certificate and its key, in PEM.
	Cert, Key []byte
	// Subjects say what the target is made of, such as an image and its digest. They are
	// for the report alone.
	Subjects []report.Subject
	// NameCases sends the case id of each request in the header X-Conformance-Case,
	// for debugging. The report says so, because a target could behave differently.
	NameCases bool
	// TraceParent sends a trace context (W3C Trace Context) with every request. All
	// requests of a case have one trace id, which the seed and the id of the case decide.
	// The report says so, as with NameCases.
	TraceParent bool
	// Headers are sent with every request. Each is "Name: value". If one may hold the
	// credential of a security scheme, as Authorization does, the suite sends no other one
	// there, and leaves out the cases about credentials.
	Headers []string
	// CACert is a PEM bundle to trust in addition to the system's. Insecure accepts
	// any certificate.
	CACert   []byte
	Insecure bool
	// Wait is how long to wait for the target to be ready: to give any answer
	// except 503.
	Wait time.Duration
	// Seed determines all random values; 0 means DefaultSeed.
	Seed uint64
	// Effort is how much is tried: one of Efforts. Empty chooses full for a few operations,
	// and gate for more.
	Effort string
	// Draws is the number of random cases per class; 0 means DefaultDraws, and a
	// negative number none.
	Draws int
	// Workers is the number of concurrent connections; 0 means 8, and 6 more if the target
	// serves them.
	Workers int
	// Timeout is the time limit for one answer (default 10 s), MaxTime for the whole
	// run (default 5 min). Cleaning up may take another tenth of it.
	Timeout, MaxTime time.Duration
	// Settle is how long a target may take to show what it accepted (default 2 s): a
	// request that reads it is sent again until then. A negative time gives it none.
	Settle time.Duration
	// Rate is the maximum number of requests per second; 0 means no limit.
	Rate float64
	// Only and Skip select requirements or cases by pattern, in which * matches any
	// characters. A pattern that matches nothing is an error.
	Only, Skip []string
	// Shard is the part of the plan, from 1 to Shards, that is tried; 0 means the whole
	// plan. The parts of a plan have each case once, and Merge joins their reports.
	Shard, Shards int
	// Include and Exclude select operations by patterns over their operationId, tag,
	// method, path, or method and path. What is not selected is not tried; it is asked
	// only for what others need. A pattern that matches nothing is an error.
	Include, Exclude []string
	// AllowDisruptive sends operations whose names suggest that they stop the service, throw
	// its data away or take a credential, and a DELETE, PUT or PATCH of a whole collection. Without it,
	// such an operation is sent only if Include has its whole name.
	AllowDisruptive bool
	// Keep leaves what the run made. Otherwise it is deleted at the end, as far as the
	// document says how.
	Keep bool
	// FailOn says which failures make the target not conformant: the lowest level,
	// report.Must (default), report.Should or report.Suspected, or categories such as
	// "crash,security", or both.
	FailOn report.Gate
	// RequireAll makes a run incomplete if this version cannot try an operation of the document.
	RequireAll bool
	// FailFast ends the run at the first failure, once a second look confirmed it, that
	// makes the target not conformant. The report then says that it is incomplete.
	FailFast bool
	// KnownFailures is a file of failures that are expected: they are reported, and do not
	// make the target not conformant. KnownFailuresName names it in messages. An entry
	// that no longer holds makes the file out of date; whether it expired is decided by
	// Today.
	KnownFailures     []byte
	KnownFailuresName string
	Today             time.Time
	// Cache, if set, lets several runs share the work on one document.
	Cache *Cache
	// Trace, if set, receives one line of JSON per exchange, with the token redacted.
	Trace io.Writer
	// Warn, if set, is called with a line about what is doubtful between the document and
	// the config, before anything is sent.
	Warn func(line string)
	// Estimated, if set, is called before the cases of a limited effort are made, with about
	// how many there will be.
	Estimated func(cases int)
	// Started, if set, is called when the plan is made and the dataset generation is
	// known. Progress, if set, is called after each case. They are never called
	// concurrently.
	Started  func(report.Header)
	Progress func(done, planned, failed int)
	// Failing, if set, is called when a requirement fails for the first time, with the case
	// that shows it. It was not tried again yet, and may have another cause. Like Progress,
	// it is never called concurrently.
	Failing func(r report.Result, caseID string)
	// First are results of an earlier report. The classes that failed then come before the
	// others of their phase, which changes nothing in the report. FirstTried, if set, is
	// called for each result when the cases of the first phase that has any were tried once.
	// Like Progress, it is never called concurrently.
	First      []report.Result
	FirstTried func(report.TriedFirst)
	// answered, if not nil, keeps how each request was answered.
	answered *answered
	// Waits, if set, is called when a wait begins that can last longer than a second, with
	// what is waited for: "waiting for an answer". The function that it returns is called
	// when the wait ends. Several can be under way.
	Waits func(what string) (over func())
	// Confirmed, if set, is called when a failure was tried again, with its requirement.
	// What follows from another failure is not left out yet, and the cause is not known.
	Confirmed func(report.Result, report.Failure)
}

// DefaultSeed is the seed of a run that names none. It is fixed, so that two runs
// against the same server send the same requests.
const DefaultSeed = 1

// DefaultDraws is the number of random cases per class of a run that names none.
const DefaultDraws = 100

// again counts the cases of the classes in which a requirement failed earlier, in the first
// phase that has any: what comes later would keep the user waiting.
type again struct {
	report.TriedFirst
	phase plan.Phase
	left  int // cases that were not tried yet
}

// tell lets the run tell what happens before all cases are done.
func (s *setup) tell(run *execute.Settings) {
	first, tried := s.first()
	failing := s.failing()
	run.First = first
	run.Kept = func(c *plan.Case, r *judge.Record) {
		if failing != nil {
			failing(c, r)
		}
		if tried != nil {
			tried(c, r)
		}
	}
}

// failing tells of the first failure of each requirement; nil if nobody asks.
func (s *setup) failing() func(*plan.Case, *judge.Record) {
	if s.config.Failing == nil {
		return nil
	}
	told := map[int]bool{}
	return func(c *plan.Case, r *judge.Record) {
		for _, f := range r.Failures {
			if !told[f.At] {
				told[f.At] = true
				s.config.Failing(s.unjudged(f.At), c.ID)
			}
		}
	}
}

// first says which cases come first, because their classes failed in an earlier run, and
// tells what became of these. Both functions are nil if there are none.
func (s *setup) first() (is func(*plan.Case) bool, tried func(*plan.Case, *judge.Record)) {
	of := map[string][]*again{} // by the slug of a class
	for _, x := range s.config.First {
		a := &again{TriedFirst: report.TriedFirst{Requirement: x.Requirement}}
		classes := map[string]bool{}
		for _, f := range x.Failures {
			classes[f.Class] = true
			for _, c := range f.Classes {
				classes[c.Class] = true
			}
		}
		for class := range classes {
			of[class] = append(of[class], a)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	for _, c := range s.cases {
		for _, a := range of[c.Class.Slug] {
			switch {
			case a.Cases == 0 || c.Class.Phase < a.phase:
				a.phase, a.Cases = c.Class.Phase, 1
			case c.Class.Phase == a.phase:
				a.Cases++
			}
			a.left = a.Cases
		}
	}
	is = func(c *plan.Case) bool { return len(of[c.Class.Slug]) > 0 }
	return is, func(c *plan.Case, r *judge.Record) {
		for _, a := range of[c.Class.Slug] {
			if c.Class.Phase != a.phase {
				continue
			}
			switch a.left--; {
			case r.State != judge.Tried:
				a.Unanswered++
			case s.failsStill(r, a.Requirement):
				a.Failed++
			}
			if a.left == 0 && s.config.FirstTried != nil {
				s.config.FirstTried(a.TriedFirst)
			}
		}
	}
}

// failsStill reports whether a case fails the requirement, or a MUST: which of them a
// failure is charged to is decided later.
func (s *setup) failsStill(r *judge.Record, id string) bool {
	for i := range r.Failures {
		if b := &s.judge.Bound[r.Failures[i].At]; b.ID == id || b.Level == report.Must {
			return true
		}
	}
	return false
}
