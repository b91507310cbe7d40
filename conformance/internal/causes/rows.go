package causes

import (
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// Rows are requests one after the other, first on one connection, then on another, and
// then each on a new one.
type Rows struct {
	List []Shot
	// Cut reports whether an answer was missing, or the budget ended.
	Cut bool
}

// Shot is one request of a row. Row 0 has a new connection for each request.
type Shot struct {
	Row, Place int // counted from 1
	Failure    *judge.Failure
}

// Rows sends the request that fails again and again.
func (l *Lab) Rows() *Rows {
	if l.rows != nil {
		return l.rows
	}
	l.rows = &Rows{}
	if !l.Dropped() {
		l.row(1, limits.CauseRow)
		if len(l.rows.Failed()) > 0 {
			l.row(2, limits.CauseRow-1) // of another length: what counts all requests fails elsewhere
		}
	}
	for !l.rows.Cut {
		most, failed := limits.CauseRows, len(l.rows.Failed())
		if failed == 0 {
			most = limits.CauseSearch
		}
		if len(l.rows.List) >= most || failed >= limits.CauseSeen {
			break
		}
		own := l.Session()
		l.shoot(own, 0, 1)
		own.Close()
	}
	return l.rows
}

// row sends requests on one connection.
func (l *Lab) row(number, n int) {
	own := l.Session()
	defer own.Close()
	for place := 1; place <= n && !l.rows.Cut; place++ {
		l.shoot(own, number, place)
	}
}

func (l *Lab) shoot(own explore.Session, row, place int) {
	var t Tally
	l.Last(own, []plan.Step{l.Request()}, &t)
	l.rows.Cut = l.rows.Cut || t.Cut
	if !t.Cut {
		l.rows.List = append(l.rows.List, Shot{row, place, t.Example})
	}
}

// Failed returns the places in the list that failed, counted from 1.
func (r *Rows) Failed() []int {
	var out []int
	for i, s := range r.List {
		if s.Failure != nil {
			out = append(out, i+1)
		}
	}
	return out
}

// On returns the places on one connection that failed.
func (r *Rows) On(row int) []int {
	var out []int
	for _, s := range r.List {
		if s.Row == row && s.Failure != nil {
			out = append(out, s.Place)
		}
	}
	return out
}
