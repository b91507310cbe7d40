package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

const (
	throughputConnections = 8
	throughputRound       = 2000 // requests of one side of a pair
	throughputPairs       = 7
)

// BenchmarkThroughput compares judged exchanges with a bare net/http client
// that looks at nothing but the status: baseline requests to one handler over 8
// connections, each with values of its own, so that no answer comes twice. Short
// rounds alternate, so that what else the machine does meets
// both alike, and the median of the ratios is reported: the target is 1.0.
func BenchmarkThroughput(b *testing.B) {
	server := httptest.NewServer(services.Desk(""))
	defer server.Close()
	baseline, err := newBaselineRounds(server.URL)
	if err != nil {
		b.Fatal(err)
	}
	bare := newBareRounds(server.URL)
	defer bare.client.CloseIdleConnections()
	var ratios, judged, plain []float64
	for b.Loop() {
		for pair := range throughputPairs {
			sides := []func() (time.Duration, error){baseline.round, bare.round}
			var took [2]time.Duration
			for i := range sides {
				side := (pair + i) % 2 // each goes first in turn
				if took[side], err = sides[side](); err != nil {
					b.Fatal(err)
				}
			}
			judged = append(judged, throughputRound/took[0].Seconds())
			plain = append(plain, throughputRound/took[1].Seconds())
			ratios = append(ratios, took[1].Seconds()/took[0].Seconds())
		}
	}
	b.ReportMetric(median(ratios), "x-bare-client")
	b.ReportMetric(median(judged), "judged/s")
	b.ReportMetric(median(plain), "bare/s")
}

// baselineRounds judges rounds of baseline requests: the judge of a run, with a
// catalogue of one class.
type baselineRounds struct {
	set      *requirement.Set
	plan     *plan.Plan
	endpoint *message.Endpoint
	client   *exchange.Client
	contract *openapi.Contract
	seed     uint64
}

func newBaselineRounds(url string) (*baselineRounds, error) {
	spec, err := os.ReadFile("../testdata/openapi/desk.yaml")
	if err != nil {
		return nil, err
	}
	c, err := openapi.Load("desk.yaml", spec)
	if err != nil {
		return nil, err
	}
	target, err := exchange.ParseTarget(url)
	if err != nil {
		return nil, err
	}
	p, err := plan.New(c, auth.List(), 1, 0)
	if err != nil {
		return nil, err
	}
	only := plan.Mutator{Name: "baseline", Doc: "Baseline requests alone.", Classes: func(s *plan.Space) []plan.Class {
		if s.Op.IsAdditional() {
			return nil // a round has as many requests as that of the bare client
		}
		return []plan.Class{{Family: plan.FamilyValid, Kind: "baseline", Cases: throughputRound, Expected: message.Accept,
			Build: func(g *plan.Gen, _ int) []plan.Step { return []plan.Step{{Message: g.Baseline()}} }}}
	}}
	if err := p.Fill(context.Background(), []plan.Mutator{only}); err != nil {
		return nil, err
	}
	return &baselineRounds{contract: c, set: requirement.Derive(c, checks.Rules()), plan: p, client: exchange.New(target, exchange.Options{}), seed: 1,
		endpoint: &message.Endpoint{Target: target, Token: services.Key, UserAgent: "bench",
			Auth: func(op *openapi.Operation) *message.Auth { return p.Space(op).Auth }}}, nil
}

// round is the whole way of a case but the pre-flight: what it can try, its
// bytes, the exchange, both classifications, every rule, the conclusion.
func (m *baselineRounds) round() (time.Duration, error) {
	m.seed++ // no answer comes twice
	j := judge.New(m.set, checks.Rules(), m.plan, m.endpoint)
	t := explore.New(explore.Options{Contract: m.contract, Plan: m.plan, Endpoint: m.endpoint, Client: explore.Over(m.client),
		Timeout: 10 * time.Second, Seed: m.seed, Sending: j.Origins.Note})
	j.Facts = t.Facts
	settled := t.Learn(context.Background())
	began := time.Now()
	j.Cover(m.plan.Cases)
	run := execute.New(t, j, execute.Settings{Workers: throughputConnections}, m.plan.Cases, settled)
	run.All(context.Background())
	diagnosis, found := diagnose.Diagnose(context.Background(), run, nil)
	if len(found) > 0 {
		return 0, errors.New(j.Bound[found[0].At].ID + " did not pass")
	}
	results, _ := diagnosis.Results(nil, func(string) bool { return true })
	took := time.Since(began)
	passed := 0
	for _, r := range results {
		switch r.Verdict {
		case report.Fail, report.Error:
			return 0, errors.New(r.Requirement + " did not pass")
		case report.Pass:
			passed += r.Cases.Judged
		}
	}
	if passed < throughputRound {
		return 0, errors.New("the baseline requests were not judged")
	}
	return took, nil
}

// bareRounds sends the same kind of request and reads the answer.
type bareRounds struct {
	client *http.Client
	url    string
}

func newBareRounds(url string) *bareRounds {
	return &bareRounds{url: url + "/notes", client: &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: throughputConnections, MaxConnsPerHost: throughputConnections, DisableCompression: true}}}
}

func (r *bareRounds) round() (time.Duration, error) {
	var left atomic.Int64
	left.Store(throughputRound)
	var group sync.WaitGroup
	failed := make(chan error, throughputConnections)
	began := time.Now()
	for range throughputConnections {
		group.Add(1)
		go func() {
			defer group.Done()
			for left.Add(-1) >= 0 {
				if err := r.send(); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	group.Wait()
	took := time.Since(began)
	close(failed)
	return took, <-failed
}

func (r *bareRounds) send() error {
	req, err := http.NewRequest(http.MethodPost, r.url, bytes.NewReader([]byte(`{"title":"b4zkqvxw2n"}`)))
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+services.Key)
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
