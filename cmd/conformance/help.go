package main

import "github.com/alecthomas/kong"

const exitCodes = `  0  conformant, or only known failures
  1  not conformant, or the known failures file is out of date
  2  invalid command line, file or setup; nothing was judged
  3  incomplete: the server cannot be reached or rejects the token, the run was
     interrupted, or a MUST could not be decided. A failed MUST takes precedence:
     exit 1, not 3.
  4  a bug in this suite; please report it`

const about = `Tests whether a server keeps the contract in an OpenAPI document. For each failure
it shows the clause, the smallest request that fails, and the command to repeat it.

Examples:
  conformance run                                   the embedded reference server
  conformance run --target http://localhost:8080    your server, token in
                                                    CONFORMANCE_TOKEN
  conformance explain ID                            one requirement or one case in full

Exit codes:
` + exitCodes

// Help gives examples and exit codes under the flags' own help.
func (runOptions) Help() string {
	return `Without --target, run tests the embedded reference server. It sends requests that
store resources in the target: use a test system.

Examples:

  conformance run --target http://localhost:8080 --token-file token.txt
  conformance run --target https://10.0.0.7 --ca-cert ca.pem --wait 30s
  conformance run --target $URL --report junit=report.xml --report json=report.json
  conformance run --target $URL --report markdown=report.md
  conformance run --target $URL --report html=report.html
  conformance run --target $URL --only '*-id-*' --seed random
  conformance run --target $URL --spec other.yaml
  conformance run --spec https://test.example.com/openapi.json --server 1

Exit codes:

` + exitCodes
}

// Help tells what is printed, and gives examples and exit codes.
func (reachOptions) Help() string {
	return `reach sends the first requests of a run. It prints one line for each operation: where
values that must refer to existing things come from, or why no request was accepted and
what would help.

Examples:

  conformance reach --target $URL --spec other.yaml
  conformance reach --target $URL --spec other.yaml --write values.yaml
  conformance run --target $URL --spec other.yaml --values values.yaml

Exit codes:

  0  every operation is reached
  2  invalid command line, file or setup; nothing was sent
  3  an operation is not reached, the server cannot be reached or rejects the
     token, or the command was interrupted
  4  a bug in this suite; please report it`
}

// Help tells what is written, and gives examples and exit codes.
func (proposeOptions) Help() string {
	return `propose writes a requirements file. Each line of it is a comment, below its reason: a
sentence or a name of the document, or its structure. With --target, propose sends the
requests that show whether the line is true, and says what it observed: holds, does not
hold, or not observed. Without it, nothing is sent.

Examples:

  conformance propose --target $URL --spec other.yaml --write requirements.yaml
  conformance run --target $URL --spec other.yaml --requirements requirements.yaml

Exit codes:

  0  the file is written
  2  invalid command line, file or setup; nothing was sent
  3  nothing was observed, or the command was interrupted
  4  a bug in this suite; please report it`
}

// Help tells the forms of the argument.
func (replayOptions) Help() string {
	return `The argument is the id of a case, a report that was written with --report json=FILE, or
one failure of it, such as report.json#1. Failures are repeated with the seed and draws
of their report. Without --target, they go to the target of the report if that is on
this machine. A case is sent with the values of the run first, and with fresh ones if
nothing fails.

For a whole report, each failure gets a line: FIXED, STILL FAILS, CHANGED (the same
requests now break another requirement) or NOT TRIED. The recorded requests are sent
again, and their case is tried with fresh values.

Examples:

  conformance replay CASE --target http://localhost:8080
  conformance replay report.json#1 --target http://localhost:8080
  conformance replay report.json --target http://localhost:8080
  conformance replay report.json 'newplant-*'

Exit codes:

  0  the case passes, or the report has no failure left that fails a run
  1  the case fails, or a failure is left that fails a run
  2  invalid command line, file or setup; nothing was judged
  3  incomplete: a case could not be tried, the server cannot be reached or rejects
     the token, or the command was interrupted. A failure takes precedence: exit 1,
     not 3.
  4  a bug in this suite; please report it`
}

// Help tells the exit codes of diff, which are its own.
func (diffOptions) Help() string {
	return `Requirements are matched by their ids. A change counts if it makes a run fail: a MUST
that newly fails, or that passed or failed before and is no longer tried. If the new
run had --fail-on should, a SHOULD counts too. Open points are compared by what the
same kinds of request got, not by how often.

Example:

  conformance run --target $URL --report json=new.json
  conformance diff old.json new.json

With --target given twice, the same requests go to both servers. The output shows where
their answers differ: first the requirements with different verdicts, then the classes of
requests, then the open points. The credentials and the other flags apply to both.

  conformance diff --target http://localhost:8080 --target http://localhost:8081

Exit codes:

  0  not worse
  1  worse: a change counts, or a requirement that fails a run fails for only one target
  2  a file is no report, or the reports are about different documents
  3  a target cannot be compared, or not all of it was tried`
}

// Help describes what a merged report has, and its limits.
func (mergeOptions) Help() string {
	return `Each job runs one shard, and a final job joins their reports:

  conformance run --target $URL --shard 1/2 --report json=shard-1.json
  conformance run --target $URL --shard 2/2 --report json=shard-2.json
  conformance merge shard-1.json shard-2.json --report html=report.html

The merged report has the verdicts, counts and observations of a run without --shard,
and its exit code. It differs in the times, and in what it says about failures. Each
shard makes the examples of its own failures smaller, so they may have other fresh
values. Causes and suppressions are found only within a shard, and what all failing
cases share is left out.

merge refuses the reports if a shard is missing or given twice, or if the plans,
documents, seeds or targets differ.

Exit codes:

` + exitCodes
}

// Help tells the form of the file.
func (knownOptions) Help() string {
	return `The file is a list of entries:

  # known.yaml
  - requirement: newplant-id-*
    reason: The gateway turns texts into numbers.
    link: https://issues.example.com/17
    expires: 2030-12-31

requirement is an id, or a pattern as --only takes it. link and expires are optional;
expires is the last day (UTC) on which the entry holds.

Examples:

  conformance known-failures write report.json > known.yaml
  conformance run --target $URL --known-failures known.yaml`
}

// flagGroups are the headings above the flags of a command, in the words of those who
// look for one. Flags name the group by its key.
func flagGroups() kong.Option {
	return kong.ExplicitGroups([]kong.Group{
		{Key: "server", Title: "The server:"},
		{Key: "login", Title: "Credentials:"},
		{Key: "document", Title: "The contract:"},
		{Key: "settings", Title: "Settings file and environment:", Description: "Each flag has a variable: --max-time is CONFORMANCE_MAX_TIME. A repeatable flag takes one value per line there."},
		{Key: "cases", Title: "What is sent:"},
		{Key: "pace", Title: "Pace and limits:"},
		{Key: "verdict", Title: "Verdict:"},
		{Key: "output", Title: "Output:"},
	})
}
