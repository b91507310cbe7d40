package main

import (
	"os"
	"path/filepath"
	"strings"
)

// expand gives the files of a path. Where no shell has expanded a pattern, as in an image
// without one, this does; a file whose name only looks like a pattern is that file. The
// error is a *usageError.
func expand(path string) ([]string, error) {
	if _, err := os.Lstat(path); err == nil || !strings.ContainsAny(path, "*?[") {
		return []string{path}, nil
	}
	files, err := filepath.Glob(path) // sorted
	if err != nil || len(files) == 0 {
		return nil, usagef("check the folder and the pattern", "no file matches %s", path)
	}
	return files, nil
}
