//go:build docker

// Package container starts the server of ../go in a container and judges it: go test -tags
// docker. It needs Docker; without the tag there is no test, so that nothing passes that did
// not run.
package container

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"

	"plantstore/conformance"
	"plantstore/conformance/conformancetest"
)

func TestTheImageKeepsItsContract(t *testing.T) {
	document, err := os.ReadFile("../go/openapi.yaml")
	require.NoError(t, err)
	server, err := testcontainers.Run(t.Context(), "",
		testcontainers.WithDockerfile(testcontainers.FromDockerfile{Context: "../go"}),
		testcontainers.WithExposedPorts("8080/tcp"))
	testcontainers.CleanupContainer(t, server)
	require.NoError(t, err)
	address, err := server.PortEndpoint(t.Context(), "8080/tcp", "http")
	require.NoError(t, err)

	ready := func(c *conformance.Config) { c.Wait = time.Minute }
	conformancetest.Run(t, conformancetest.URL(address), conformancetest.Document("openapi.yaml", document), conformancetest.With(ready))
}
