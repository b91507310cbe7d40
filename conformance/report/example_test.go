package report_test

import (
	"fmt"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// A part of a report, as conformance run --report json=report.json writes it.
const written = `{
  "version": 1,
  "header": {"target": "http://localhost:8080", "seed": 1},
  "results": [
    {"requirement": "post-plants-answered", "level": "MUST", "verdict": "pass"},
    {"requirement": "newplant-id-integer", "level": "MUST", "verdict": "fail", "failures": [
      {"n": 1, "sent": "/id = \"2\"", "expected": "400 with an Error", "got": "200 OK, a Plant"}]}
  ],
  "summary": {"verdict": "not conformant", "failed": 1}
}`

func Example() {
	r, err := formats.ReadJSON([]byte(written))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Header.Target, "is", r.Summary.Verdict)
	for _, result := range r.Results {
		if result.Verdict == report.Fail {
			fmt.Println(result.Level, result.Requirement)
		}
	}
	// Output:
	// http://localhost:8080 is not conformant
	// MUST newplant-id-integer
}

func ExampleReport_Failure() {
	r, err := formats.ReadJSON([]byte(written))
	if err != nil {
		fmt.Println(err)
		return
	}
	if f, found := r.Failure(1); found {
		fmt.Printf("sent %s; expected %s; got %s\n", f.Sent, f.Expected, f.Got)
	}
	// Output:
	// sent /id = "2"; expected 400 with an Error; got 200 OK, a Plant
}
