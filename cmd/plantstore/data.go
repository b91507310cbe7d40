package main

import (
	"bufio"
	"context"
	"errors"

	"plantstore/reference"
	"plantstore/reference/admin"
	"plantstore/reference/store"
)

// backing is what stands behind a server: its file and its metrics, where the
// flags ask for them.
type backing struct {
	file    *store.File
	metrics *admin.Metrics
	// about is what the first line of the log says of them.
	about []any
}

// open opens what the flags ask for and puts it into the configuration.
func (c *serveCommand) open(cfg *reference.Config) (*backing, error) {
	b := &backing{about: []any{"data", "in memory, lost when the server stops"}}
	opts := store.Options{UniqueIDs: c.UniqueIDs, Log: cfg.Log}
	if c.Admin != "" {
		b.metrics = admin.NewMetrics(b.queued)
		cfg.Observe, opts.Observe = b.metrics.Request, b.metrics.Commit
	}
	if c.Data == "" {
		return b, nil
	}
	var err error
	if b.file, err = store.Open(c.Data, opts); err != nil {
		return nil, err
	}
	last, err := b.file.Last()
	if err != nil {
		return nil, errors.Join(err, b.file.Close())
	}
	cfg.Store = b.file
	b.about = []any{"data", c.Data, "plants", last}
	return b, nil
}

func (b *backing) queued() int {
	if b.file == nil {
		return 0
	}
	return b.file.Queued()
}

// serve starts the admin listener where there is one.
func (b *backing) serve(ctx context.Context, addr string) (stop func() error, err error) {
	if addr == "" {
		return func() error { return nil }, nil
	}
	ln, err := listen(addr)
	if err != nil {
		return nil, err
	}
	b.about = append(b.about, "admin", "http://"+ln.Addr().String())
	return admin.Start(ln, admin.Handler(b.metrics, func(asked context.Context) error {
		switch {
		case ctx.Err() != nil:
			return errors.New("stopping")
		case b.file == nil:
			return nil
		}
		return b.file.Ready(asked)
	})), nil
}

type exportCommand struct {
	Data string `required:"" placeholder:"FILE" help:"File that plantstore serve --data wrote. No server may be using it."`
}

// Run writes every plant as a line of JSON.
func (c *exportCommand) Run(std streams) error {
	out := bufio.NewWriter(std.out)
	return errors.Join(store.Export(c.Data, out), out.Flush())
}
