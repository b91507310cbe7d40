package main

import "strings"

const exitCodes = `Exit codes:
  0  conformant
  1  not conformant
  2  a mistake on the command line, in a file, or in the set-up; nothing was judged
  3  incomplete: unreachable, token not accepted, interrupted, a MUST that could
     not be settled. A failed MUST goes before: 1 beats 3.
  4  a bug of this suite; please report it`

const about = `Judges whether a server keeps the contract that an OpenAPI document states: which
clause it breaks, the smallest request that shows it, the command that repeats it.

Examples:
  conformance run                                   the embedded reference server
  conformance run --target http://localhost:8080    your server, token in
                                                    CONFORMANCE_TOKEN
  conformance explain ID                            one requirement in full

` + exitCodes

// Help gives examples and exit codes under the flags' own help.
func (runOptions) Help() string {
	return `Without --target it judges the embedded reference server. It sends requests that
store resources in the target: use a test system.

Examples:

  conformance run --target http://localhost:8080 --token-file token.txt
  conformance run --target https://10.0.0.7 --ca-cert ca.pem --wait 30s
  conformance run --target $URL --report junit=report.xml --report json=report.json
  conformance run --target $URL --only '*-id-*' --seed random
  conformance run --target $URL --spec other.yaml

` + indented(exitCodes)
}

// Help tells the two forms of the argument.
func (replayOptions) Help() string {
	return `The case is one of the plan, by its id, or a failure of a report that was written
with --report json=FILE: then exactly its bytes are sent, with the token filled in.

Examples:

  conformance replay CASE --target http://localhost:8080
  conformance replay report.json#1 --target http://localhost:8080

` + indented(exitCodes)
}

// indented marks lines as preformatted for the printer of help.
func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
