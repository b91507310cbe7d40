package proof

import (
	"context"
	"slices"
	"sort"
	"sync"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/report"
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

// Row is one server that the suite was run against.
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
	Outcome         report.Outcome
	Reasons         []string
	Requests        int
	Took            time.Duration
	Err             error
}

// Good tells whether the row is as it should be: a fault trips the requirement
// it names and nothing unrelated, a variant trips nothing and warns what it
// says.
func (r *Row) Good() bool { return r.Err == nil && r.Killed() && len(r.Unrelated()) == 0 }

// Killed tells whether a fault was found, a variant passed, a hostile target
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

// subject is a server to run against.
type subject struct {
	row   Row
	start func() (*Server, error)
}

// subjects lists every fault and variant whose name the filter keeps.
func subjects(keep func(Kind, string) bool) []subject {
	var out []subject
	for _, f := range faults.List() {
		if keep(Fault, f.Name) {
			out = append(out, subject{Row{Kind: Fault, Name: f.Name, Doc: f.Doc, Breaks: f.Breaks, Also: f.Also},
				func() (*Server, error) { return StartFault(f.Name) }})
		}
	}
	for _, v := range variants.List() {
		if keep(Variant, v.Name) {
			out = append(out, subject{Row{Kind: Variant, Name: v.Name, Doc: v.Doc, Also: v.Warns},
				func() (*Server, error) { return StartVariant(v.Name) }})
		}
	}
	for _, h := range hostiles() {
		if keep(Hostile, h.name) {
			out = append(out, subject{Row{Kind: Hostile, Name: h.name, Doc: h.doc}, func() (*Server, error) { return startHostile(h) }})
		}
	}
	return out
}

// Table runs the suite against every server that keep lets through, several at
// a time, and gives a row for each in catalogue order. done, if set, is called
// after each row from one goroutine at a time.
func Table(ctx context.Context, keep func(Kind, string) bool, config conformance.Config, parallel int, done func(Row)) []Row {
	list := subjects(keep)
	rows := make([]Row, len(list))
	next := make(chan int)
	var group sync.WaitGroup
	var mu sync.Mutex
	for range max(parallel, 1) {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range next {
				rows[i] = list[i].run(ctx, config)
				mu.Lock()
				if done != nil {
					done(rows[i])
				}
				mu.Unlock()
			}
		}()
	}
	for i := range list {
		next <- i
	}
	close(next)
	group.Wait()
	return rows
}

// run starts the server, judges it once and fills the row.
func (s subject) run(ctx context.Context, config conformance.Config) Row {
	row := s.row
	server, err := s.start()
	if err != nil {
		row.Err = err
		return row
	}
	defer server.Close()
	began := time.Now()
	config.Target, config.Token = server.URL, server.Token
	r, err := conformance.Run(ctx, config)
	row.Took = time.Since(began)
	if err != nil {
		row.Err = err
		return row
	}
	row.fill(r)
	return row
}

func (r *Row) fill(rep *report.Report) {
	r.Outcome, r.Reasons, r.Requests = rep.Summary.Verdict, rep.Summary.Reasons, rep.Summary.Exchanges
	for _, x := range rep.Results {
		switch {
		case x.Verdict != report.Fail:
		case x.Level == report.Must:
			r.Tripped = append(r.Tripped, x.Requirement)
		default:
			r.Warned = append(r.Warned, x.Requirement)
		}
	}
	sort.Strings(r.Tripped)
	sort.Strings(r.Warned)
}
