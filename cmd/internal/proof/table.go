package proof

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference"
	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

// Options say which servers a table has and how each is judged.
type Options struct {
	// Service is PlantStore or CRUD; empty means PlantStore.
	Service string
	// Keep tells which servers to judge; nil means all.
	Keep func(Kind, string) bool
	// Config is that of every run, but for the target and its token.
	Config conformance.Config
	// Seeds is how often each server is judged, by the seed of Config and those
	// that follow; less than 1 means once.
	Seeds int
	// Under names a variant that every fault and variant is crossed with, such as
	// "slow"; empty means none.
	Under string
	// Parallel is the number of servers judged at the same time.
	Parallel int
	// Done, if set, is called after each row, by one goroutine at a time.
	Done func(Row)
}

// subject is a server to run against.
type subject struct {
	row    Row
	values []string
	start  func() (*Server, error)
	// adapt, if set, changes the config of every run.
	adapt func(conformance.Config) conformance.Config
	// clause is what a fault of the CRUD service breaks, empty for all others.
	clause string
}

// subjects lists every server that the options keep, in the order of the
// catalogues. The error is that of [Options.Under].
func subjects(o Options) ([]subject, error) {
	keep := o.Keep
	if keep == nil {
		keep = func(Kind, string) bool { return true }
	}
	if o.Service == CRUD {
		return crudSubjects(o.Under, keep)
	}
	base, crossed, err := cross(reference.Config{Tokens: []string{Token}}, o.Under)
	if err != nil {
		return nil, err
	}
	var out []subject
	for _, f := range faults.List() {
		if keep(Fault, f.Name) {
			out = append(out, subject{row: Row{Kind: Fault, Name: f.Name, Doc: f.Doc, Breaks: f.Breaks, Also: slices.Concat(f.Also, crossed.Warns)},
				values: f.Values, start: func() (*Server, error) { return start(f.New(base), crossed.Path) }})
		}
	}
	for _, v := range variants.List() {
		if keep(Variant, v.Name) {
			out = append(out, subject{row: Row{Kind: Variant, Name: v.Name, Doc: v.Doc, Also: slices.Concat(v.Warns, crossed.Warns)},
				values: v.Values, start: func() (*Server, error) { return start(v.New(base), v.Path) }})
		}
	}
	for _, h := range hostiles() {
		if keep(Hostile, h.name) {
			out = append(out, subject{row: Row{Kind: Hostile, Name: h.name, Doc: h.doc}, start: func() (*Server, error) { return startHostile(h) }})
		}
	}
	return out, nil
}

// Catalogue lists every server of a service without running any.
func Catalogue(service string) []Row {
	list, _ := subjects(Options{Service: service}) // only crossing can fail
	out := make([]Row, len(list))
	for i := range list {
		out[i] = list[i].row
	}
	return out
}

// Table judges every server that the options keep, several at a time, and gives
// a row for each in the order of the catalogues. After ctx has ended no run is
// begun, and the rows are those of the runs that it did not cut off. The error is that of
// [Options.Under].
func Table(ctx context.Context, o Options) ([]Row, error) {
	list, err := subjects(o)
	if err != nil {
		return nil, err
	}
	if o.Config.Cache == nil {
		o.Config.Cache = new(conformance.Cache)
	}
	if o.Service == CRUD {
		o.Config = crudConfig(o.Config)
	}
	rows := make([]*Row, len(list))
	next := make(chan int)
	var group sync.WaitGroup
	var mu sync.Mutex
	for range max(o.Parallel, 1) {
		group.Go(func() {
			for i := range next {
				row, finished := list[i].judge(ctx, o)
				if !finished {
					continue
				}
				mu.Lock()
				rows[i] = &row
				if o.Done != nil {
					o.Done(row)
				}
				mu.Unlock()
			}
		})
	}
	for i := range fromBothEnds(len(list)) {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	group.Wait()
	var out []Row
	for _, r := range rows {
		if r != nil {
			out = append(out, *r)
		}
	}
	return out, nil
}

// fromBothEnds gives the numbers below n as 0, n-1, 1, n-2 and so on. The servers
// that wait are at the end of the list: handed out last or all at once, they would
// leave the processors idle.
func fromBothEnds(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			at := i / 2
			if i%2 == 1 {
				at = n - 1 - at
			}
			if !yield(at) {
				return
			}
		}
	}
}

// judge runs the suite by every seed, each on a new server, until one run is not
// as it should be. A run that ctx cut off says nothing and is not in the row;
// without any other the row is not finished.
func (s subject) judge(ctx context.Context, o Options) (row Row, finished bool) {
	row = s.row
	for i := range uint64(max(o.Seeds, 1)) {
		config := o.Config
		if config.Seed == 0 {
			config.Seed = conformance.DefaultSeed
		}
		config.Seed += i
		next := row
		next.Seed, next.Seeds = config.Seed, row.Seeds+1
		s.run(ctx, config, &next)
		if ctx.Err() != nil {
			break
		}
		row = next
		if !row.Good() {
			break
		}
	}
	return row, row.Seeds > 0
}

// run starts the server, judges it once and fills the row.
func (s subject) run(ctx context.Context, config conformance.Config, row *Row) {
	server, err := s.start()
	if err != nil {
		row.Err = err
		return
	}
	defer server.Close()
	began := time.Now()
	config.Target, config.Token = server.URL, server.Token
	if s.adapt != nil {
		config = s.adapt(config)
	}
	config.Values = append(slices.Clone(config.Values), s.values...)
	r, err := conformance.Run(ctx, config)
	row.Took += time.Since(began)
	if err != nil {
		row.Err = err
		return
	}
	row.fill(r)
	if s.clause != "" {
		row.settle(r, s.clause)
		s.withoutLines(ctx, config, r, row)
	}
}

// withoutLines fills in how a fault comes out without the lines of the requirements file. Where none
// of them failed, that is as with them.
func (s subject) withoutLines(ctx context.Context, config conformance.Config, with *report.Report, row *Row) {
	if row.Bare = row.bare(with); !byLine(with) {
		return
	}
	server, err := s.start()
	if err != nil {
		row.Err = err
		return
	}
	defer server.Close()
	config.Target, config.Token, config.Requirements = server.URL, server.Token, nil
	r, err := conformance.Run(ctx, config)
	if err != nil {
		row.Err = err
		return
	}
	row.Bare = row.bare(r)
}
