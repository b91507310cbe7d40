package conformance_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"plantstore/conformance"
)

// An OpenAPI document with one operation, which reads a greeting.
const greetings = `
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
              schema:
                type: object
                required: [text]
                properties:
                  text: {type: string}
`

func ExampleRun() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"text": 42}`)
	}))
	defer server.Close()

	report, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Spec: []byte(greetings)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Summary.Verdict)
	for _, result := range report.Results {
		for _, failure := range result.Failures {
			fmt.Println(result.Level, result.Requirement)
			fmt.Println("expected:", failure.Expected)
			fmt.Println("got:", failure.Got)
		}
	}
	// Output:
	// not conformant
	// MUST get-greeting-200-body-text-string
	// expected: In the answer, /text is a string.
	// got: 42 in 200 OK, application/json
}

func ExampleList() {
	listing, err := conformance.List(context.Background(), conformance.Config{Spec: []byte(greetings)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, requirement := range listing.Requirements {
		fmt.Println(requirement.Level, requirement.Requirement)
	}
	// Output:
	// MUST get-greeting-answered
	// MUST get-greeting-framing
	// MUST get-greeting-valid-accepted
	// MUST get-greeting-200-status
	// MUST get-greeting-200-media-type
	// MUST get-greeting-200-json
	// MUST get-greeting-200-body-object
	// MUST get-greeting-200-body-text-required
	// MUST get-greeting-200-body-text-string
	// SHOULD json-unique-names
	// SHOULD http-strict-framing
}
