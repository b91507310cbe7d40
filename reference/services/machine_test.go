package services_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// ownCertificate makes a certificate and its key in PEM.
func ownCertificate(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	x := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, x, x, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalECPrivateKey(private)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret})
}

func TestAClientCertificateGoesWithEveryConnection(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("../../testdata/openapi/gates.yaml")
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(services.Gates(""))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	defer server.Close()
	c := conformance.Config{Target: server.URL, Insecure: true, Spec: spec, SpecName: "gates.yaml", Draws: -1, Only: []string{"get-machine/*"}}
	c.Cert, c.Key = ownCertificate(t)
	r, err := conformance.Run(context.Background(), c)
	require.NoError(t, err)
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Contains(t, r.Header.LeftOut, "GET /machine: security scheme machine: requests without the client certificate are never sent, because every connection has it")
	for _, x := range r.Results {
		assert.NotContains(t, x.Requirement, "machine-required")
	}
}
