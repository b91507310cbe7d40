package main

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// valid holds a JSON file against a JSON Schema: valid SCHEMA FILE.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: valid SCHEMA FILE")
	}
	var docs [2]any
	for i, name := range args {
		var err error
		docs[i], err = jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	ts.Check(c.AddResource("mem://schema", docs[0]))
	schema, err := c.Compile("mem://schema")
	ts.Check(err)
	switch err := schema.Validate(docs[1]); {
	case err != nil && !neg:
		ts.Fatalf("%s: %v", args[1], err)
	case err == nil && neg:
		ts.Fatalf("%s is valid", args[1])
	}
}

// digestIn wants the SHA-256 of a file in another one: digest FILE OTHER.
func digestIn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: digest FILE OTHER")
	}
	sum := sha256.Sum256([]byte(ts.ReadFile(args[0])))
	if text := hex.EncodeToString(sum[:]); !strings.Contains(ts.ReadFile(args[1]), text) {
		ts.Fatalf("%s does not have %s, the digest of %s", args[1], text, args[0])
	}
}
