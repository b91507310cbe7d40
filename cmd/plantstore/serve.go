package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"plantstore/reference"
	"plantstore/reference/admin"
	"plantstore/reference/faults"
	"plantstore/reference/store"
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

// tokens gathers what --token, PLANTSTORE_TOKEN and --token-file give. Its
// errors never hold a token.
func (c *serveCommand) tokens() ([]string, error) {
	all := c.Token
	if c.TokenFile != "" {
		text, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("--token-file: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			all = append(all, strings.TrimRight(line, "\r\n"))
		}
	}
	var tokens []string
	for _, t := range all {
		switch {
		case t == "":
		case strings.ContainsFunc(t, func(r rune) bool { return r <= ' ' || r > '~' }):
			return nil, errors.New("a token contains characters that are not allowed in a header: use printable ASCII without spaces, as plantstore token does")
		default:
			tokens = append(tokens, t)
		}
	}
	if len(tokens) == 0 {
		return nil, errors.New("no token to accept: plantstore serve needs --token, --token-file or PLANTSTORE_TOKEN")
	}
	return tokens, nil
}

// certificates reads those of the flags; nil means plain http.
func (c *serveCommand) certificates() (certs *tls.Config, scheme string, err error) {
	switch {
	case c.TLSCert == "" && c.TLSKey == "":
		return nil, "http", nil
	case c.TLSCert == "" || c.TLSKey == "":
		return nil, "", errors.New("--tls-cert and --tls-key must be used together")
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, "", fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, "https", nil
}

type tokenCommand struct{}

// Run makes a token of 130 random bits, in characters that need no quoting.
func (tokenCommand) Run(std streams) error {
	_, err := fmt.Fprintln(std.out, rand.Text())
	return err
}
