package conformance

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/parallel"
	"plantstore/spec"
)

// Tool names this suite and its version, in reports and in User-Agent.
const Tool = toolName + Release

const toolName = "conformance/"

// Release is the version of the suite.
const Release = "0.1.0"

// setup is everything that a run, a listing and a replay are made from.
type setup struct {
	config   Config
	contract *openapi.Contract
	set      *requirement.Set
	rules    []requirement.Rule
	given    *requirement.Given
	reach    *resource.Map
	plan     *plan.Plan
	endpoint *message.Endpoint
	client   *exchange.Client
	redactor *redact.Redactor
	judge    *judge.Judge
	filled   bool          // the plan has its cases
	examined *judge.Shared // what the cases can test, if runs share the plan
	cases    []*plan.Case
	whole    []*plan.Case                // with a shard: the cases of all shards
	selected map[string]bool             // nil selects every requirement
	aside    map[*openapi.Operation]bool // operations that are not tried
	// unasked are operations that are not sent because their name suggests that they harm all
	// others, and onlyOwn those that may harm a thing: they are sent about things of the run.
	// wary are such operations that the user allows.
	unasked, onlyOwn, wary map[*openapi.Operation]bool
	omitted                []openapi.Omitted // those that the plan lacks and the user did not exclude
}

// Default sizes of a run.
const (
	defaultWorkers = 8
	defaultTimeout = 10 * time.Second
	defaultSettle  = 2 * time.Second
)

// prepare does what comes before the first request: it reads the document,
// checks what is needed to talk to the target, and makes the cases. Where the
// context ends first it waits no longer: a document cannot be left in the
// middle, but nobody has to wait for it.
func prepare(ctx context.Context, c Config, connect, fill bool) (*setup, error) {
	var s *setup
	var err error
	making := parallel.Start(func() {
		if s, err = setUp(c); err == nil {
			err = s.setAside()
		}
		if err == nil && connect {
			err = s.connect(ctx)
		}
		if err == nil && fill && ctx.Err() == nil {
			err = s.fill(ctx)
		}
	})
	select {
	case <-making.Done():
		making.Wait()
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil:
		return nil, errors.New(ended(ctx) + " before anything was sent")
	case err != nil:
		return nil, &SetupError{err}
	}
	return s, nil
}

// setUp reads document and overlay and makes the plan; a cache may have both.
func setUp(c Config) (*setup, error) {
	c = withDefaults(c)
	// Files may change between two runs, and what the environment gives depends on the
	// document.
	if c.Cache != nil && c.Files == nil && len(c.AllowRef) == 0 && c.Getenv == nil {
		return c.Cache.setUp(c)
	}
	return setUpAnew(c)
}

// withDefaults fills in what a config leaves out.
func withDefaults(c Config) Config {
	if len(c.Spec) == 0 {
		c.Spec, c.SpecName = spec.OpenAPI, "openapi.yaml"
		if len(c.Requirements) == 0 {
			c.Requirements, c.RequirementsName = spec.Requirements, "requirements.yaml"
		}
	}
	c.SpecName = cmp.Or(c.SpecName, "document")
	c.RequirementsName = cmp.Or(c.RequirementsName, "requirements")
	c.ValuesName = cmp.Or(c.ValuesName, "values")
	c.Seed = cmp.Or(c.Seed, DefaultSeed)
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	c.Settle = cmp.Or(c.Settle, defaultSettle)
	c.Draws = max(0, cmp.Or(c.Draws, DefaultDraws))
	return c
}

func setUpAnew(c Config) (*setup, error) {
	s := &setup{config: c, rules: checks.Rules()}
	if err := errors.Join(requirement.Validate(s.rules), plan.Validate(catalogue()), message.ValidateSchemes(auth.List())); err != nil {
		return nil, err
	}
	from, err := source(c)
	if err != nil {
		return nil, err
	}
	from.Tested = func(op *openapi.Operation) bool { return c.tests(op) }
	from.Remembered = schema.ForOne
	if c.Cache != nil {
		from.Remembered = schema.ForMore
	}
	loaded, err := openapi.LoadWith(c.SpecName, c.Spec, from)
	if err != nil {
		return nil, err
	}
	return s.from(loaded)
}

// from derives everything else from a loaded contract. It does not change it: each step works on a
// copy.
func (s *setup) from(loaded *openapi.Contract) (*setup, error) {
	// The contract has its own copy of what it needs: a large document is not kept twice.
	s.contract, s.config.Spec = loaded, nil
	c, err := s.config, s.carried()
	if err != nil {
		return nil, err
	}
	s.config.fromEnvironment(s.contract)
	if err = s.config.named(s.contract); err != nil {
		return nil, err
	}
	if err = s.ask(); err != nil {
		return nil, err
	}
	if s.contract, err = s.contract.Choose(s.config.given, hint); err != nil {
		return nil, err
	}
	s.contract = s.contract.ChooseOther(func(scheme *openapi.Scheme) bool { return s.config.AuthOther[scheme.Name] != "" })
	if s.contract, err = plan.LeaveOut(s.contract, c.Seed); err != nil {
		return nil, err
	}
	if s.given, s.contract, err = requirement.ReadValues(s.contract, c.ValuesName, c.ValuesFile); err != nil {
		return nil, err
	}
	s.contract = resource.FindPaging(s.contract)
	s.set = requirement.Derive(s.contract, s.rules)
	if s.set, s.contract, err = requirement.Overlay(s.set, s.contract, c.RequirementsName, c.Requirements, checks.Names()); err != nil {
		return nil, err
	}
	if s.set, s.contract, err = requirement.NameValues(s.set, s.contract, s.given, append(s.logins(), c.Values...)); err != nil {
		return nil, err
	}
	s.reach, s.contract = resource.Analyse(plan.NamePatches(s.contract), slices.Collect(maps.Keys(s.given.Unreachable))...)
	s.set, s.given = s.set.Of(s.contract), s.given.Of(s.contract)
	if s.plan, err = plan.New(s.contract, auth.List(), c.Seed, c.Draws); err != nil {
		return nil, err
	}
	effort, err := plan.EffortFor(c.Effort, len(s.contract.Operations), plan.Places(s.contract))
	if err != nil {
		return nil, fmt.Errorf("--effort: %w", err)
	}
	s.plan.Limit(effort)
	s.bind()
	return s, nil
}

// bind makes what each run needs for itself: an endpoint, with a placeholder until
// the target is known, and the judge.
func (s *setup) bind() {
	s.endpoint = &message.Endpoint{UserAgent: Tool, NameCases: s.config.NameCases, Trace: s.config.TraceParent, TraceSeed: s.config.Seed, Token: s.config.Token, Keys: s.keys(), Other: s.config.AuthOther, Auth: s.auth,
		Target: exchange.Target{Scheme: "http", Authority: "target", Address: "target:80"}}
	s.judge = judge.New(s.set, s.rules, s.plan, s.endpoint)
}

// fill makes the cases and applies the selection.
func (s *setup) fill(ctx context.Context) error {
	if !s.filled {
		making := ctx
		if end, limited := ctx.Deadline(); limited {
			half, enough := context.WithTimeout(ctx, time.Until(end)/2) // the rest is for the cases
			defer enough()
			making = half
		}
		if err := s.plan.Fill(making, catalogue()); err != nil {
			return err
		}
	}
	s.cases = s.plan.Cases
	if err := s.choose(); err != nil {
		return err
	}
	return s.takeShard()
}

func (s *setup) auth(op *openapi.Operation) *message.Auth { return s.plan.Space(op).Auth }

// connect reads what is needed to talk to a target.
func (s *setup) connect(ctx context.Context) error {
	c := s.config
	target, err := s.aim()
	if err != nil {
		return err
	}
	if !c.Embedded && c.Server == 0 {
		s.warnOfPrefix(target)
	}
	s.warnOfKeywords()
	if s.endpoint.Headers, err = headers(c.Headers); err != nil {
		return err
	}
	if err := s.ownKeys(); err != nil {
		return err
	}
	certificates, err := s.certificates(target)
	if err != nil {
		return err
	}
	secure := &tls.Config{InsecureSkipVerify: c.Insecure, MinVersion: tls.VersionTLS12, Certificates: certificates}
	if len(c.CACert) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(c.CACert) {
			return errors.New("the CA certificate is not PEM: give a file that starts with -----BEGIN CERTIFICATE-----")
		}
		secure.RootCAs = pool
	}
	s.endpoint.Target = target
	s.client = exchange.New(target, exchange.Options{TLS: secure})
	if len(c.Renew) > 0 {
		s.await(ctx) // a command may ask the target for its credential
		values, err := s.fetch(ctx)
		if err != nil {
			return err
		}
		maps.Copy(values, c.Auth)
		s.config.Auth = values
		s.endpoint.Keys = s.keys()
	}
	if err := s.roomFor(); err != nil {
		return err
	}
	if err := s.credentials(); err != nil {
		return err
	}
	s.secrets()
	return nil
}

// headers reads "Name: value" pairs.
func headers(list []string) ([]exchange.Field, error) {
	var out []exchange.Field
	for _, h := range list {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		bad := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c) }
		switch {
		case !ok || name == "" || strings.ContainsFunc(name, bad) || strings.ContainsAny(value, "\r\n\x00"):
			return nil, errors.New("header is not 'Name: value'")
		case openapi.OwnHeader(name):
			return nil, fmt.Errorf("header %s is set by the suite: remove it", name)
		}
		out = append(out, exchange.Field{Name: name, Value: value})
	}
	return out, nil
}

// await polls a target that is still starting, as long as the user said. It only
// reads: a write would leave something behind, and a harmful operation must not be sent first.
func (s *setup) await(ctx context.Context) {
	end := time.Now().Add(s.config.Wait)
	defer s.waits("waiting for the server to be ready (--wait)")()
	reads := func(op *openapi.Operation) bool { return op.Method == http.MethodGet && !s.aside[op] && !s.wary[op] }
	op := s.contract.Operations[max(0, slices.IndexFunc(s.contract.Operations, reads))]
	endpoint := *s.endpoint
	endpoint.Auth = func(*openapi.Operation) *message.Auth { return s.auth(op) }
	for s.config.Wait > 0 && ctx.Err() == nil && time.Now().Before(end) {
		session := s.client.Session()
		g := s.plan.Preflight(op, plan.Identity{Seed: s.config.Seed}, plan.Waiting)
		m := g.Baseline()
		if !reads(op) {
			m.Op, m.Tree, m.Raw = &openapi.Operation{Method: http.MethodGet, Path: op.Path, Parameters: op.Parameters, Params: op.Params, Responses: op.Responses}, nil, nil
		}
		if len(s.config.Renew) > 0 {
			m.Credentials = []message.Presented{} // there may be none yet
		}
		e := session.Do(ctx, endpoint.Wire(m, "wait"), s.config.Timeout)
		session.Close()
		if e.Failure == nil && e.Response.Status != 503 {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(waitPause):
		}
	}
}

// waits tells the user what is waited for.
func (s *setup) waits(what string) (over func()) { return client.Waits(s.config.Waits).For(what) }

// waitPause is the time between two looks at a target that is starting.
const waitPause = 100 * time.Millisecond
