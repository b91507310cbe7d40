// Command page writes the published matrix as a page for a browser, for a release:
//
//	go run ./testdata/targets/page FILE
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/go-json-experiment/json"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: page FILE")
		os.Exit(2)
	}
	if err := write("testdata/targets/matrix.json", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// write writes the page of a matrix.
func write(matrix, page string) error {
	data, err := os.ReadFile(matrix)
	if err != nil {
		return err
	}
	var m report.Matrix
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("%s: %w", matrix, err)
	}
	var text bytes.Buffer
	if err := formats.MatrixHTML(&text, &m, formats.Options{}); err != nil {
		return err
	}
	return os.WriteFile(page, text.Bytes(), 0o644)
}
