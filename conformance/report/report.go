// Package report defines the report of a run as plain, versioned data. Every output
// format prints a Report and adds no judgement of its own.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Version is the version of the JSON form. It is raised when a member is removed or
// changes its meaning, and not when a member is added.
const Version = 1

// Report is one run against one target.
type Report struct {
	Version int    `json:"version"`
	Tool    string `json:"tool"`
	Header  Header `json:"header"`
	Facts   []Fact `json:"facts"`
	// Reach says how many operations were reached, and how, a line for each.
	Reach *Reached `json:"reach,omitempty"`
	// Findings are what failed, joined by its cause, the worst first.
	Findings []Finding `json:"findings,omitempty"`
	Results  []Result  `json:"results"`
	Observed []Observe `json:"observed"`
	// CleanUp says what became of what the run made; nil if it made nothing that it
	// knows how to delete, or was told to keep it.
	CleanUp *CleanUp `json:"clean_up,omitempty"`
	// KnownFailures is nil if the run had no file of known failures.
	KnownFailures *KnownFailures `json:"known_failures,omitempty"`
	// Second is nil if there is no second opinion.
	Second  *SecondOpinion `json:"second_opinion,omitempty"`
	Summary Summary        `json:"summary"`
	// Part is nil if the run was not that of a shard.
	Part  *Part `json:"part,omitempty"`
	Times Times `json:"times"`
}

// Found are the findings of a report. Reports that were made without get them from their failures.
func (r *Report) Found() []Finding {
	if len(r.Findings) > 0 {
		return r.Findings
	}
	return Findings(r.Results)
}

// Named is a report and its name: that of its implementation, or of its file.
type Named struct {
	Name   string
	Report *Report
}

// Header is known before the first request is sent.
type Header struct {
	Target   string `json:"target"`
	Embedded bool   `json:"embedded"`
	Document string `json:"document"` // title, version and file
	// File is the path of the document, with slashes; empty if it is not a file.
	File   string `json:"document_file,omitempty"`
	Digest string `json:"digest"` // SHA-256 of the document, hexadecimal
	// Plan is a SHA-256, hexadecimal, over the cases and the requirements of the whole plan.
	Plan string `json:"plan,omitempty"`
	// Subjects say what the target is made of, as the user named it.
	Subjects []Subject `json:"subjects,omitempty"`
	Seed     uint64    `json:"seed"`
	Draws    int       `json:"draws"` // random cases per class
	// Generation is the dataset generation: which ids and names this run sends. It grows
	// when the target refuses values that an earlier run stored.
	Generation int `json:"dataset_generation"`
	// Requirements and Cases are the planned numbers. MaxStored is the maximum number
	// of resources that the target may store.
	Requirements int `json:"requirements"`
	Cases        int `json:"cases"`
	MaxStored    int `json:"max_stored"`
	// NamedCases says that every request carried its case id, for debugging. A
	// target could behave differently in such a run.
	NamedCases bool `json:"named_cases,omitzero"`
	// Traced says that every request carried a trace context, whose id the seed and the
	// case decide: a target that computes them could behave differently.
	Traced bool `json:"traced,omitzero"`
	// FailOn is what makes the target not conformant: the lowest level of a failure, such as
	// must, or categories, such as crash,security.
	FailOn string `json:"fail_on,omitempty"`
	// RequireAll says that operations which this version cannot try make the run incomplete.
	RequireAll bool `json:"require_all,omitzero"`
	// AuthAlways says that operations got a credential that the document does not ask for.
	AuthAlways bool `json:"auth_always,omitzero"`
	// Selection says what is tried and what is not: the patterns of --only, --skip,
	// --include and --exclude, and the operations that cannot be reached. It is empty if
	// everything runs.
	Selection []string `json:"selection,omitempty"`
	// Effort is how much was tried: smoke, gate, full or deep.
	Effort string `json:"effort,omitempty"`
	// Values are those of --value.
	Values []string `json:"values,omitempty"`
	// RequirementsFile is that of --requirements; nil for none.
	RequirementsFile *File `json:"requirements_file,omitempty"`
	// DocumentFlags are those that conformance explain needs to find the requirements of
	// this run: --spec, --allow-ref and --requirements, quoted for a shell.
	DocumentFlags string `json:"document_flags,omitempty"`
	// ReplayFlags are those that conformance replay needs to repeat a request, likewise.
	ReplayFlags string `json:"replay_flags,omitempty"`
	// ValuesFile is the file of --values; nil for none.
	ValuesFile *File `json:"values_file,omitempty"`
	// Shard is the part of the plan that was tried; nil for the whole plan.
	Shard *Shard `json:"shard,omitempty"`
	// LeftOut names the parts of the document that are not tested.
	LeftOut []string `json:"left_out,omitempty"`
	// CutSchemas is how many schemas are tried only in part; LeftOut names them.
	CutSchemas int `json:"cut_schemas,omitzero"`
	// Undefined is how many operations need a credential that the document does not define.
	Undefined int `json:"undefined_credentials,omitzero"`
}

// Subject is something that does not change, such as a container image, a program or a
// commit, of which the target is made.
type Subject struct {
	Name      string `json:"name"`
	Algorithm string `json:"algorithm"` // sha256, sha384, sha512 or gitCommit
	Digest    string `json:"digest"`    // hexadecimal
}

// String writes the subject as --subject takes it.
func (s Subject) String() string { return s.Name + "@" + s.Algorithm + ":" + s.Digest }

// File is a file that a run was given.
type File struct {
	Name   string `json:"name"`
	Digest string `json:"digest"` // SHA-256, hexadecimal
}

// Partial reports whether there is a selection, or a shard, or a schema that is tried only
// in part. The verdict then covers only a part of the contract.
func (h Header) Partial() bool {
	return len(h.Selection) > 0 || h.Shard != nil || h.CutSchemas > 0 || h.Undefined > 0
}

// Reached says how many operations of the document were tried with an accepted request, and
// how they were reached.
type Reached struct {
	Reached int `json:"reached"`
	// Operations are all of the document, without those that the user excluded.
	Operations int `json:"operations"`
	// Aside are the others: excluded, unreachable, or not sent unasked.
	Aside int      `json:"aside,omitzero"`
	Ways  []string `json:"ways"` // "getUser <- createUser#/id", of those that the plan has
	// Untried are the operations without an accepted request, or with answers that could not be judged,
	// most first.
	Untried []Untried `json:"untried,omitempty"`
	// Ended says that an operation turned others off for good, or that the target knows no path.
	// It is empty otherwise.
	Ended string `json:"ended,omitempty"`
}

// Untried are operations of which no request was accepted, or not all answers could be judged, for one
// reason.
type Untried struct {
	Operations []string `json:"operations"` // "GET /items"
	Why        string   `json:"why"`        // what they do, in the plural: "need a credential for T"
	// Help is what the user can do.
	Help string `json:"help,omitempty"`
	// Unsupported says that this version has no request for them.
	Unsupported bool `json:"unsupported,omitzero"`
}

// Of returns why n operations were not tried.
func (u *Untried) Of(n int) string {
	verb, rest, _ := strings.Cut(u.Why, " ")
	switch {
	case n != 1:
	case verb == "have":
		verb = "has"
	case verb == "were":
		verb = "was"
	default:
		verb += "s"
	}
	return verb + " " + rest
}

// Fact is something learned about the target before the cases ran.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// CleanUp says what the run deleted at its end.
type CleanUp struct {
	Made    int `json:"made"` // and not deleted by a case
	Deleted int `json:"deleted"`
	// Changed counts the things that the run did not make and that were not as before, and
	// Restored those that were given the value again that was read before.
	Changed  int `json:"changed,omitzero"`
	Restored int `json:"restored,omitzero"`
	// Left says why the others were not deleted, with their number.
	Left []string `json:"left,omitempty"`
}

// Observe is an open point and what the target does there. It is never judged.
type Observe struct {
	Requirement string `json:"requirement"`
	Sentence    string `json:"sentence"`
	Clause      string `json:"clause"`
	// Seen lists what was observed, most frequent first, each with a count:
	// "duplicate id: 200 Plant" (3).
	Seen []Seen `json:"seen"`
}

// Seen is one observation and how many exchanges showed it.
type Seen struct {
	What  string `json:"what"`
	Count int    `json:"count"`
	// Kinds are the places and kinds of value that showed it: "name/empty".
	Kinds []string `json:"kinds,omitempty"`
}

// Explain is the command that says more about a requirement of this run.
func (h *Header) Explain(id string) string {
	command := "conformance explain " + id
	if h.DocumentFlags != "" {
		command += " " + h.DocumentFlags
	}
	return command
}

// ReplayFinding is the command that sends all failures of a finding again, of the JSON form of this
// report.
func (h *Header) ReplayFinding(id string) string {
	return strings.TrimSpace("conformance replay REPORT.json " + id + " " + h.ReplayFlags)
}

// Gates reports whether a failure of the level made the target of this run not conformant.
func (h *Header) Gates(l Level) bool { return l.Gates(Gate(h.FailOn)) }

// TriedFirst says what became of a requirement that failed in an earlier run, before all
// cases of this one are done. It is no verdict.
type TriedFirst struct {
	Requirement string
	// Cases counts those of the classes that failed in the earlier run, without those that
	// are tried late. Failed are the ones that fail again, and Unanswered the ones that could
	// not be judged yet.
	Cases, Failed, Unanswered int
}

// Shard says which part of a plan a run has tried.
type Shard struct {
	Number int `json:"number"` // from 1
	Of     int `json:"of"`
	// Plan is a SHA-256, hexadecimal, over the cases and the requirements of the whole
	// plan. Cases is their number.
	Plan  string `json:"plan"`
	Cases int    `json:"cases"`
}

// String returns the number and how many there are, such as 3/8; empty for the whole plan.
func (s *Shard) String() string {
	if s == nil {
		return ""
	}
	return strconv.Itoa(s.Number) + "/" + strconv.Itoa(s.Of)
}

// Part is what the report of a shard holds beside its results, so that the reports of all
// shards can be joined into that of the whole plan.
type Part struct {
	// Preflight is how many requests were sent before the cases. Each shard sends them.
	Preflight int `json:"preflight_exchanges"`
	// Reasons say why the shard is incomplete, apart from its inconclusive requirements.
	Reasons      []string     `json:"reasons,omitempty"`
	Requirements []PartResult `json:"requirements,omitempty"`
	// Agreed and Disagreed identify the distinct answers of the second opinion, eight
	// bytes each: those that both readers say the same of, and those of each difference.
	Agreed    Bytes   `json:"agreed"`
	Disagreed []Bytes `json:"disagreed,omitempty"`
}

// AnswerBytes is how many bytes of Agreed and Disagreed identify an answer.
const AnswerBytes = 8

// PartResult is what a shard knows of a requirement that has cases in it.
type PartResult struct {
	Requirement string `json:"requirement"`
	// Verdict and Reason are what the cases of this shard say alone. In the results, a
	// requirement that other shards try too may have no verdict yet.
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	// Failed is the number of cases that failed, or that fail if no shard has one that
	// passed. Passed reports whether an exchange passed.
	Failed int  `json:"failed,omitzero"`
	Passed bool `json:"passed,omitzero"`
	// Pending are failures that count only if no shard has an exchange that passed.
	// Their numbers come after those of the failures that count here.
	// Odd says that all are about values that may be refused for what they are: these do not
	// count either if another shard says that a value must be named.
	// Place and Fix are those of the requirement, if there are any such failures.
	Pending []Failure `json:"pending,omitempty"`
	Odd     bool      `json:"odd,omitzero"`
	Place   *Place    `json:"clause_place,omitempty"`
	Fix     string    `json:"fix,omitempty"`
	// Ways belong to the failures, or to the pending ones, in their order.
	Ways []PartFailure `json:"ways,omitempty"`
	// Suppressors say how much speaks for each requirement that suppressed this one.
	// HiddenBy is the one whose failure explains those of this one.
	Suppressors map[string]int `json:"suppressors,omitempty"`
	HiddenBy    string         `json:"hidden_by,omitempty"`
	// Unknown says which value must be named before the requirement can be judged. It holds
	// only if no shard passed a requirement with AnyPass that has the same Unknown.
	Unknown string `json:"unknown,omitempty"`
	AnyPass bool   `json:"any_pass,omitzero"`
	// UntriedClass is a class of which no case could be tried, UntriedAt the place of its
	// first case in the plan, and Why the reason. If there is no such class, UntriedAt and
	// Why are about the first case that was not tried.
	UntriedClass string `json:"untried_class,omitempty"`
	UntriedAt    int    `json:"untried_at,omitzero"`
	Why          string `json:"why,omitempty"`
	// Unplayed says why the first case of the shard does not apply to this target. It is empty if
	// any case does. UnplayedAt is the place of that case in the plan.
	Unplayed   string `json:"unplayed,omitempty"`
	UnplayedAt int    `json:"unplayed_at,omitzero"`
	// Belonging reports whether the requirement is that an answer belongs to its request.
	Belonging bool `json:"belonging,omitzero"`
}

// PartFailure tells failures of one requirement apart, and says which example shows one best.
type PartFailure struct {
	Signature string `json:"signature"`
	// Weight is less for an example that is easier to read. At is the place of its case in
	// the plan, and Classes are those of the first failed case of each class.
	Weight  int   `json:"weight"`
	At      int   `json:"at"`
	Classes []int `json:"classes"`
}

// Failure returns failure number n, and reports whether there is one.
func (r *Report) Failure(n int) (Failure, bool) {
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if f.N == n {
				return f, true
			}
		}
	}
	return Failure{}, false
}

// HasCredential reports whether a request of a failure has a credential. A variable of the
// shell stands for it.
func (r *Report) HasCredential() bool {
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if slices.ContainsFunc(f.Steps, func(s Step) bool { return bytes.Contains(s.Request.Data, []byte("$CONFORMANCE_")) }) {
				return true
			}
		}
	}
	return false
}

// Printable escapes the characters of a JSON text that could control a terminal or
// change the direction of a line. JSON requires this only below U+0020. Outside
// ASCII, all bytes of a JSON text are inside strings, so its value does not change.
func Printable(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			out = append(out, b[i])
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case unicode.IsPrint(r):
			out = append(out, b[i:i+n]...)
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
		i += n
	}
	return out
}

//go:embed report.schema.json
var schema string

// Schema returns the JSON Schema (2020-12) of a Report of this version as JSON. It is
// strict: a member that it does not have is refused, so that a slip in a name is found. A
// reader of reports of newer suites must pass over members that it does not know.
func Schema() string { return schema }
