package proof_test

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference"
	"plantstore/reference/store"
)

// keep opens a store in a file of its own until the test ends.
func keep(t testing.TB) *store.File {
	t.Helper()
	f, err := store.Open(filepath.Join(t.TempDir(), "plants.db"), store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, f.Close()) })
	return f
}

// lent gives a certificate for the loopback address, and the same in PEM.
func lent() (*tls.Config, []byte) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	return &tls.Config{Certificates: s.TLS.Certificates}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// judge runs the suite as it is by default against a server.
func judge(t *testing.T, cfg reference.Config, secure bool) *report.Report {
	t.Helper()
	cfg.Tokens = []string{proof.Token}
	s := reference.New(cfg)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	run := conformance.Config{Target: "http://" + ln.Addr().String(), Token: proof.Token, Cache: shared}
	var certs *tls.Config
	if secure {
		certs, run.CACert = lent()
		run.Target = "https://" + ln.Addr().String()
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln, certs) }()
	got, err := conformance.Run(t.Context(), run)
	require.NoError(t, err)
	stop()
	require.NoError(t, <-ended)
	return got
}

func TestTheSuitePassesTheServerInEveryStoreAndOverEveryTransport(t *testing.T) {
	t.Parallel()
	sample.OneIn(t, 4)
	file := keep(t)
	for _, c := range []struct {
		name   string
		cfg    reference.Config
		secure bool
	}{
		{"memory over http", reference.Config{}, false},
		{"memory over https", reference.Config{}, true},
		{"unique ids in memory", reference.Config{UniqueIDs: true}, false},
		{"file over http", reference.Config{Store: file}, false},
		{"the same file over https", reference.Config{Store: file}, true},
		{"the same file again", reference.Config{Store: file}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.OneIn(t, 4)
			got := judge(t, c.cfg, c.secure)
			assert.Equal(t, report.Conformant, got.Summary.Verdict, got.Summary.Reasons)
			assert.Zero(t, got.Summary.Failed)
			assert.Zero(t, got.Summary.Warned)
			assert.Zero(t, got.Summary.Unsettled)
		})
	}
}
