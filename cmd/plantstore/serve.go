package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"plantstore/reference"
	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

type serveCommand struct {
	Addr      string   `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on; port 0 picks a free one."`
	Data      string   `placeholder:"FILE" help:"File to keep the plants in; created if it does not exist (default: memory)."`
	MaxPlants *int     `name:"max-plants" placeholder:"N" help:"Maximum number of plants in memory (default ${plants}); more are refused."`
	UniqueIDs bool     `name:"unique-ids" help:"Refuse an id that was used before."`
	Token     []string `env:"PLANTSTORE_TOKEN" sep:"none" placeholder:"T" help:"Bearer token to accept. Repeatable."`
	TokenFile string   `name:"token-file" placeholder:"FILE" help:"File of bearer tokens to accept, one per line."`
	TLSCert   string   `name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"Certificate chain in PEM; the server then speaks HTTPS (HTTP/1.1 and HTTP/2)."`
	TLSKey    string   `name:"tls-key" type:"existingfile" placeholder:"FILE" help:"Private key of the certificate in PEM."`
	Admin     string   `placeholder:"HOST:PORT" help:"Address for /healthz, /readyz and /metrics (default: none)."`
	LogLevel  string   `name:"log-level" default:"info" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"Log level: debug (every request), info, warn or error."`
	Fault     string   `xor:"deviation" placeholder:"NAME" help:"Break the contract in one way; see plantstore faults."`
	Variant   string   `xor:"deviation" placeholder:"NAME" help:"Keep the contract in an unusual way; see plantstore variants."`
}

// Run serves until SIGINT, SIGTERM or SIGHUP. A second signal ends it at once.
func (c *serveCommand) Run(std streams) error {
	tokens, err := c.tokens()
	if err != nil {
		return usageError{err}
	}
	maximum, err := c.maximum()
	if err != nil {
		return usageError{err}
	}
	certs, scheme, err := c.certificates()
	if err != nil {
		return usageError{err}
	}
	build, path, err := c.deviation()
	if err != nil {
		return usageError{err}
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	ln, err := listen(c.Addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	cfg := reference.Config{Tokens: tokens, UniqueIDs: c.UniqueIDs, MaxPlants: maximum, Log: c.logger(std)}
	back, err := c.open(&cfg)
	if err != nil {
		return err
	}
	server := build(cfg)
	closeAdmin, err := back.serve(ctx, c.Admin)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	about := append([]any{"url", scheme + "://" + ln.Addr().String() + path}, back.about...)
	switch {
	case c.Fault != "":
		about = append(about, "fault", c.Fault)
	case c.Variant != "":
		about = append(about, "variant", c.Variant)
	}
	cfg.Log.Info("listening", about...)
	err = errors.Join(server.Serve(ctx, ln, certs), closeAdmin(), server.Close())
	if err == nil {
		cfg.Log.Info("stopped")
	}
	return err
}

// endings are the signals that stop the server in order. One that hangs up is
// left alone where nohup says so.
func endings() []os.Signal {
	list := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// maximum is how many plants the store in memory keeps.
func (c *serveCommand) maximum() (int, error) {
	switch {
	case c.MaxPlants == nil:
		return reference.MaxPlants, nil
	case c.Data != "":
		return 0, errors.New("--max-plants limits plants in memory: use it or --data, not both")
	case *c.MaxPlants < 1:
		return 0, fmt.Errorf("--max-plants: %d is not a number of plants: write a whole number from 1 up", *c.MaxPlants)
	}
	return *c.MaxPlants, nil
}

func (c *serveCommand) logger(std streams) *slog.Logger {
	var level slog.Level
	// The parser let in nothing that is not a level.
	_ = level.UnmarshalText([]byte(c.LogLevel))
	return slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: level}))
}

func listen(addr string) (net.Listener, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	return ln, nil
}

// deviation gives what makes the server that the flags ask for, and the path
// that it is under.
func (c *serveCommand) deviation() (build func(reference.Config) *reference.Server, path string, err error) {
	switch {
	case c.Fault != "":
		f, ok := faults.Find(c.Fault)
		if !ok {
			return nil, "", unknown("fault", c.Fault, names(faults.List(), func(f faults.Fault) string { return f.Name }))
		}
		return f.New, "", nil
	case c.Variant != "":
		v, ok := variants.Find(c.Variant)
		if !ok {
			return nil, "", unknown("variant", c.Variant, names(variants.List(), func(v variants.Variant) string { return v.Name }))
		}
		return v.New, v.Path, nil
	}
	return reference.New, "", nil
}
