package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/go-json-experiment/json"
)

// record is a run in the results file, one line each.
type record struct {
	Kind     string   `json:"kind"`
	Name     string   `json:"name"`
	Tool     string   `json:"tool"`
	Verdict  string   `json:"verdict"`
	Failed   []string `json:"failed"`
	Requests int64    `json:"requests"`
	CPU      float64  `json:"cpu_seconds"`
	Seconds  float64  `json:"seconds"`
}

// readRecords reads the results file; without one, nothing was run.
func readRecords(file string) ([]record, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []record
	for line := range bytes.Lines(b) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(out)+1, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// append adds the record to the results file.
func (r record) append(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	line, err := json.Marshal(r)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	return errors.Join(err, f.Close())
}

// recorded returns the run of a tool against a server.
func recorded(done []record, tool string, s crudServer) (record, bool) {
	i := slices.IndexFunc(done, func(r record) bool { return r.Tool == tool && r.Kind == s.kind && r.Name == s.name })
	if i < 0 {
		return record{}, false
	}
	return done[i], true
}

// fresh lists what a tool failed on a server and not on the service as it is.
func fresh(done []record, tool string, s crudServer) []string {
	failed, _ := recorded(done, tool, s)
	known, _ := recorded(done, tool, asItIs())
	return slices.DeleteFunc(slices.Clone(failed.Failed), func(f string) bool { return slices.Contains(known.Failed, f) })
}
