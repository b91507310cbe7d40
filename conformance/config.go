package conformance

import (
	"io"
	"time"

	"plantstore/conformance/report"
)

// Config says what to judge and how. The zero value of every member but Target
// and Token is usable.
type Config struct {
	// Target is the base URL of the implementation under test; a path prefix is
	// allowed; user info, query and fragment are refused.
	Target string
	// Embedded marks a target that the caller started itself, for the report.
	Embedded bool
	// Spec is the OpenAPI document (YAML or JSON) and Requirements its overlay;
	// SpecName and RequirementsName stand for them in messages. An empty Spec
	// means the plant store's own document and overlay; a Spec without
	// Requirements is judged by what is derived from it alone.
	Spec, Requirements         []byte
	SpecName, RequirementsName string
	// Values are values that the target is known to take, each written as
	// [OPERATION:]POINTER=VALUE; the pointer names a member of a request body.
	Values []string
	// Token is the credential that the target accepts.
	Token string
	// NameCases names the case of each request in the field X-Conformance-Case, for
	// debugging; the report says so, for a target could decide by it.
	NameCases bool
	// Headers are sent with every request, "Name: value"; never Authorization.
	Headers []string
	// CACert is a PEM bundle trusted besides the system's; Insecure trusts any.
	CACert   []byte
	Insecure bool
	// Wait polls until the target answers other than 503, at most so long.
	Wait time.Duration
	// Seed chooses all drawn values; 0 means DefaultSeed.
	Seed uint64
	// Draws is the number of random cases for each drawing class; 0 means the
	// default, a negative number none.
	Draws int
	// Workers is the number of connections at once; 0 means 8.
	Workers int
	// Timeout is the time for one answer (default 10 s), MaxTime for the whole
	// run (default 5 min).
	Timeout, MaxTime time.Duration
	// Rate is the most requests a second; 0 means no limit.
	Rate float64
	// Only and Skip select requirements or cases by pattern (* any run of
	// characters); a pattern that matches nothing is an error.
	Only, Skip []string
	// FailOn is the lowest level whose failure makes the target not conformant:
	// report.Must (default) or report.Should.
	FailOn report.Level
	// Cache, if set, keeps what is made from the document for other runs.
	Cache *Cache
	// Trace, if set, receives one JSON line for each exchange, token redacted.
	Trace io.Writer
	// Started, if set, is called once the plan is made and the epoch is known;
	// Progress after each case. Both are called from one goroutine at a time.
	Started  func(report.Header)
	Progress func(done, planned, failed int)
}

// DefaultSeed is the seed of a run that names none. It is fixed, so that two runs
// against the same server send the same requests.
const DefaultSeed = 1

// DefaultDraws is the number of random cases per class of a run that names none.
const DefaultDraws = 100
