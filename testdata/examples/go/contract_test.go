package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/conformancetest"
)

func TestTheHandlerKeepsItsContract(t *testing.T) {
	conformancetest.Run(t, conformancetest.Handler(handler()), conformancetest.Document("openapi.yaml", document))
}

// TestTheProgramKeepsItsContract starts the program as it is shipped. The folder
// testcontainers shows the same with a container.
func TestTheProgramKeepsItsContract(t *testing.T) {
	program := filepath.Join(t.TempDir(), "api")
	build, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(build))
	address := free(t)
	server := exec.CommandContext(t.Context(), program, address)
	server.Stderr = os.Stderr
	require.NoError(t, server.Start())
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()

	ready := func(c *conformance.Config) { c.Wait = time.Minute }
	conformancetest.Run(t, conformancetest.URL("http://"+address), conformancetest.Document("openapi.yaml", document), conformancetest.With(ready))
}

// free is an address that nobody listens at.
func free(t *testing.T) string {
	l, err := net.Listen("tcp", "localhost:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}
