package conformancetest_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"testing"

	"plantstore/conformance"
	"plantstore/conformance/conformancetest"
)

// newServer is the handler that you wrote. This one forgets a member.
func newServer() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{}`)
	})
}

const document = `
openapi: 3.1.0
info: {title: Greetings, version: "1"}
paths:
  /greeting:
    get:
      responses:
        "200":
          description: A greeting.
          content:
            application/json:
              schema: {type: object, required: [text]}
`

func ExampleRun() {
	// In your own code, write this in a file that ends in _test.go:
	//
	//	func TestGreetings(t *testing.T) {
	//		conformancetest.Run(t, conformancetest.Handler(newServer()), conformancetest.Document("greetings.yaml", []byte(document)))
	//	}
	//
	// Here, t is a stand-in for *testing.T that prints the failed subtests.
	t := &standIn{name: "TestGreetings"}
	conformancetest.Run(t, conformancetest.Handler(newServer()), conformancetest.Document("greetings.yaml", []byte(document)))
	// Output:
	// --- FAIL: TestGreetings/get-greeting-200-body-text-required
}

func ExampleURL() {
	_ = func(t *testing.T) {
		conformancetest.Run(t, conformancetest.URL("http://localhost:8080/v1"),
			conformancetest.Token(os.Getenv("CONFORMANCE_TOKEN")),
			conformancetest.With(func(c *conformance.Config) { c.Only = []string{"newplant-*"} }))
	}
}

// standIn prints the names of failed tests.
type standIn struct{ name string }

func (*standIn) Helper()                  {}
func (*standIn) Context() context.Context { return context.Background() }
func (*standIn) Log(...any)               {}
func (t *standIn) Error(...any)           { fmt.Println("--- FAIL:", t.name) }
func (t *standIn) Fatal(args ...any)      { t.Error(args...) }
func (t *standIn) Run(name string, test func(*standIn)) bool {
	test(&standIn{name: t.name + "/" + name})
	return true
}
