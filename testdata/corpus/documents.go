package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// document is a line of documents.txt.
type document struct{ name, source, path, digest string }

// readList reads documents.txt.
func readList(text string) ([]document, error) {
	var out []document
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
			continue
		case len(f) != 4:
			return nil, fmt.Errorf("documents.txt: %q: want a name, a source, a path and a digest", strings.TrimSpace(line))
		}
		out = append(out, document{f[0], f[1], f[2], f[3]})
	}
	return out, nil
}

// check refuses a document that is not the one of the list.
func (d document) check(dir string) error {
	b, err := os.ReadFile(filepath.Join(dir, d.name))
	if err != nil {
		return fmt.Errorf("%s is missing: fetch %s of %s into the directory of --dir", d.name, d.path, d.source)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != d.digest {
		return fmt.Errorf("%s is not the listed document: fetch %s of %s again", d.name, d.path, d.source)
	}
	return nil
}
