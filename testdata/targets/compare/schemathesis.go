package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"

	"github.com/go-json-experiment/json"
)

// schemathesisTool is Schemathesis with all its phases and checks. A failure is an
// entry of a new baseline, which is how it tells failures apart, or an error.
func schemathesisTool(o options) tool {
	name := "schemathesis"
	if o.examples > 0 {
		name += " --max-examples " + strconv.Itoa(o.examples)
	}
	if o.onward {
		name += " --continue-on-failure"
	}
	return tool{
		name: name,
		args: func(target, file string) []string {
			args := []string{o.schemathesis}
			if o.config != "" {
				args = append(args, "--config-file", o.config)
			}
			args = append(args, "run", o.spec, "--url", target, "--phases", "examples,coverage,fuzzing,stateful", "--checks", "all",
				"--seed", strconv.FormatUint(o.seed, 10), "--generation-database", "none", "--no-color", "--baseline", file, "--baseline-update")
			if o.examples > 0 {
				args = append(args, "--max-examples", strconv.Itoa(o.examples))
			}
			if o.onward {
				args = append(args, "--continue-on-failure")
			}
			if o.token != "" {
				args = append(args, "--header", "Authorization: Bearer "+o.token)
			}
			return args
		},
		failed: baselined,
	}
}

// inError finds the kinds of errors in the output of Schemathesis.
var inError = regexp.MustCompile(`(?m)^  🚫 (.+: \d+)$`)

// baselined reads what Schemathesis failed, from its baseline, and its errors.
func baselined(out []byte, file string) ([]string, error) {
	var failed []string
	for _, m := range inError.FindAllSubmatch(out, -1) {
		failed = append(failed, string(m[1]))
	}
	b, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return failed, nil // nothing failed
	}
	if err != nil {
		return nil, err
	}
	var baseline struct {
		Entries []struct {
			Operation string `json:"operation"`
			Failure   string `json:"failure"`
			Signature string `json:"signature"`
		} `json:"entries"`
	}
	if err := json.Unmarshal(b, &baseline); err != nil {
		return nil, fmt.Errorf("the baseline of Schemathesis: %w", err)
	}
	for _, e := range baseline.Entries {
		text := e.Operation + " " + e.Failure
		if e.Signature != "" {
			text += " " + e.Signature
		}
		failed = append(failed, text)
	}
	return failed, nil
}
