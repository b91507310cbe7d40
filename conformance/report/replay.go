package report

// Replay is what became of the failures of a report when they were sent again.
type Replay struct {
	Target   string     `json:"target"`
	Failures []Replayed `json:"failures"`
}

// ReplayOutcome says what became of a failure.
type ReplayOutcome string

// The outcomes. Changed says that the requirement of the failure holds now, and that the
// same requests break another one. NotTried says nothing of the target.
const (
	Fixed      ReplayOutcome = "FIXED"
	StillFails ReplayOutcome = "STILL FAILS"
	Changed    ReplayOutcome = "CHANGED"
	NotTried   ReplayOutcome = "NOT TRIED"
)

// Replayed is one failure of a report, and what became of it.
type Replayed struct {
	N           int           `json:"n"` // as in Failure
	Requirement string        `json:"requirement"`
	Level       Level         `json:"level"`
	Case        string        `json:"case"`
	Place       *Place        `json:"clause_place,omitempty"`
	Sent        string        `json:"sent"`
	Was         string        `json:"was"` // the answer in the report
	Outcome     ReplayOutcome `json:"outcome"`
	// Fails is the requirement that fails now, with its level and the answer. It is empty
	// if none does.
	Fails      string `json:"fails,omitempty"`
	FailsLevel Level  `json:"fails_level,omitempty"`
	Got        string `json:"got,omitempty"`
	// Reason says why the failure was not tried.
	Reason string `json:"reason,omitempty"`
	// Known reports whether the file of known failures of that run had the failure. Such a
	// failure does not gate.
	Known bool `json:"known,omitzero"`
	// Gates reports whether what fails now makes a target not conformant.
	Gates bool `json:"gates,omitzero"`
}

// Gates reports whether any failure still makes the target not conformant.
func (r *Replay) Gates() bool {
	for _, f := range r.Failures {
		if f.Gates {
			return true
		}
	}
	return false
}

// Count returns how many failures came to an outcome.
func (r *Replay) Count(o ReplayOutcome) int {
	n := 0
	for _, f := range r.Failures {
		if f.Outcome == o {
			n++
		}
	}
	return n
}
