package main

import (
	"path"
	"path/filepath"
	"strings"
)

// inRepository names files as the system that runs the job does, which shows them at their
// lines: from the top of the checkout, and not from the folder of the step. It is nil where
// no system says where the top is.
func inRepository(getenv func(string) string) func(file string) string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if top := getenv(name); top != "" {
			return func(file string) string { return below(top, file) }
		}
	}
	return nil
}

// below is the path of a file from the top, with slashes. A file that is not below it keeps
// its path.
func below(top, file string) string {
	if file == "" {
		return file
	}
	whole, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return file
	}
	for _, way := range []func(string) (string, error){filepath.Abs, filepath.EvalSymlinks} {
		from, err := way(top)
		to, other := way(whole)
		if err != nil || other != nil {
			continue
		}
		if rel, err := filepath.Rel(from, to); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return path.Clean(filepath.ToSlash(rel))
		}
	}
	return file
}
