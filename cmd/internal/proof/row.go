package proof

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"plantstore/conformance/report"
	"plantstore/reference"
	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

// Kind says which catalogue a row comes from.
type Kind string

// The kinds of row.
const (
	Fault   Kind = "fault"
	Variant Kind = "variant"
	Hostile Kind = "hostile"
)

// How a fault comes out without accepted lines.
const (
	Found   = "found"
	Suspect = "suspected"
	Missed  = "missed"
)

// Row is one server that the suite was run against. With several seeds it is
// the first run that is not as it should be, or the last one.
type Row struct {
	Kind Kind
	Name string
	Doc  string
	// Breaks is the requirement that a fault should trip, Also those that it
	// trips by nature; for a variant Also are the SHOULDs that it warns.
	Breaks string
	Also   []string
	// Tripped are the failed MUSTs, Warned the failed SHOULDs.
	Tripped, Warned []string
	// Findings are what the report tells of the failed MUSTs: one for each cause that it sees.
	Findings []string
	// Mutators made the cases that failed a MUST or SHOULD, by the Rules.
	Mutators, Rules []string
	Outcome         report.Outcome
	// Bare is how a fault comes out without the lines of the requirements file: Found, Suspected
	// or Missed. It is empty if the service has no such lines.
	Bare    string
	Reasons []string
	// Seed is that of the run, Seeds how many were tried, Requests and Took those
	// of all of them together.
	Seed     uint64
	Seeds    int
	Requests int
	Took     time.Duration
	Err      error
}

// Good reports whether the row is as it should be: a fault trips the requirement
// it names and nothing unrelated, a variant trips nothing and warns what it
// says.
func (r *Row) Good() bool { return r.Err == nil && r.Killed() && len(r.Unrelated()) == 0 }

// Killed reports whether a fault was found, a variant passed, a hostile target
// ended with a clear verdict.
func (r *Row) Killed() bool {
	switch r.Kind {
	case Fault:
		return slices.Contains(r.Tripped, r.Breaks) || slices.Contains(r.Warned, r.Breaks)
	case Variant:
		return r.Outcome == report.Conformant
	}
	return r.Outcome != report.Conformant && (len(r.Tripped) > 0 || len(r.Reasons) > 0)
}

// elsewhere reports whether a fault failed MUSTs, and not the one that it names.
func (r *Row) elsewhere() bool {
	return r.Kind == Fault && r.Err == nil && len(r.Tripped) > 0 && !r.Killed()
}

// Unrelated lists what a fault tripped and does not name, and what a variant
// failed or warned without saying so.
func (r *Row) Unrelated() []string {
	var out []string
	switch r.Kind {
	case Fault:
		for _, id := range r.Tripped {
			if id != r.Breaks && !slices.Contains(r.Also, id) {
				out = append(out, id)
			}
		}
	case Variant:
		out = append(out, r.Tripped...)
		for _, id := range r.Warned {
			if !slices.Contains(r.Also, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func (r *Row) fill(rep *report.Report) {
	r.Outcome, r.Reasons = rep.Summary.Verdict, rep.Summary.Reasons
	r.Requests += rep.Summary.Exchanges
	r.Tripped, r.Warned = nil, nil
	for _, x := range rep.Results {
		switch {
		case x.Verdict != report.Fail:
		case x.Level == report.Must:
			r.Tripped = append(r.Tripped, x.Requirement)
		case x.Level == report.Should:
			r.Warned = append(r.Warned, x.Requirement)
		}
	}
	sort.Strings(r.Tripped)
	sort.Strings(r.Warned)
	r.foundBy(rep)
	r.Findings = nil
	for _, f := range rep.Findings {
		if f.Level == report.Must {
			r.Findings = append(r.Findings, f.Sentence)
		}
	}
}

// byLine reports whether a requirement failed that is a MUST by a line of the requirements file.
func byLine(rep *report.Report) bool {
	return slices.ContainsFunc(rep.Results, func(x report.Result) bool {
		return x.Verdict == report.Fail && x.Level == report.Must && strings.HasPrefix(x.Clause, report.AcceptedAt)
	})
}

// bare says how the fault comes out in a run without accepted lines.
func (r *Row) bare(rep *report.Report) string {
	out := Missed
	for _, x := range rep.Results {
		switch {
		case x.Verdict != report.Fail:
		case x.Level == report.Must || x.Level == report.Should && x.Requirement == r.Breaks:
			return Found
		case x.Level == report.Suspected:
			out = Suspect
		}
	}
	return out
}

// StartFault is StartReference with a fault of the catalogue. The error is that
// of listening, or that no fault has the name.
func StartFault(name string) (*Server, error) {
	f, found := faults.Find(name)
	if !found {
		return nil, fmt.Errorf("no fault %q", name)
	}
	return start(f.New(reference.Config{Tokens: []string{Token}}), "")
}

// StartVariant is StartReference with a variant of the catalogue. The error is
// that of listening, or that no variant has the name.
func StartVariant(name string) (*Server, error) {
	v, found := variants.Find(name)
	if !found {
		return nil, fmt.Errorf("no variant %q", name)
	}
	return start(v.New(reference.Config{Tokens: []string{Token}}), v.Path)
}

// cross gives a config that behaves as a variant too, for another deviation to
// build on. The error is that no variant has the name, or that its service
// stands elsewhere, which the other may do as well.
func cross(cfg reference.Config, name string) (reference.Config, variants.Variant, error) {
	if name == "" {
		return cfg, variants.Variant{}, nil
	}
	v, found := variants.Find(name)
	switch {
	case !found:
		return cfg, v, fmt.Errorf("no variant %q", name)
	case v.Path != "":
		return cfg, v, fmt.Errorf("variant %q stands below a path and cannot be crossed with others", name)
	}
	cfg.Alter = v.Alter
	return cfg, v, nil
}

// Part returns which of n parts a server of the table belongs to, from 0. It depends
// only on the kind and the name, so a new server moves no other to another shard or
// sample.
func Part(k Kind, name string, n int) int {
	sum := sha256.Sum256([]byte(string(k) + " " + name))
	return int(binary.BigEndian.Uint64(sum[:8]) % uint64(n))
}
