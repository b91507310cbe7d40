package conformancetest_test

import (
	"net/http"
	"os"
	"testing"

	"plantstore/conformance"
	"plantstore/conformance/conformancetest"
)

// newServer stands for the server that you wrote.
func newServer(token string) http.Handler { return http.NotFoundHandler() }

func ExampleRun() {
	// In a file that ends in _test.go, as func TestPlantStore(t *testing.T).
	_ = func(t *testing.T) {
		conformancetest.Run(t, conformancetest.Handler(newServer("open-sesame-42")), conformancetest.Token("open-sesame-42"))
	}
}

func ExampleURL() {
	_ = func(t *testing.T) {
		conformancetest.Run(t, conformancetest.URL("http://localhost:8080/v1"),
			conformancetest.Token(os.Getenv("CONFORMANCE_TOKEN")),
			conformancetest.With(func(c *conformance.Config) { c.Only = []string{"newplant-*"} }))
	}
}
