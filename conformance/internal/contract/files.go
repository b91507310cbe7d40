package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/resolve"
	"plantstore/conformance/internal/yamltree"
)

// Limits of the files that a document refers to, all together.
const (
	mostFiles     = 2000
	mostFileBytes = 40 << 20
	mostValues    = 1_500_000
)

// others reads the files that a document refers to.
type others struct {
	folder fs.FS
	trees  map[string]*yamltree.Tree
	bytes  int64
	values int
}

// open reads one file below the folder of the document.
func (o *others) open(c *Contract) func(name string) (*jsontree.Value, error) {
	if o.folder == nil {
		return nil
	}
	return func(name string) (*jsontree.Value, error) {
		// A pipe would block whoever opens it.
		info, err := fs.Stat(o.folder, name)
		switch {
		case err != nil:
			return nil, cause(err)
		case !info.Mode().IsRegular():
			return nil, errors.New("it is no regular file")
		}
		if o.bytes += info.Size(); o.bytes > mostFileBytes || len(o.trees) == mostFiles {
			return nil, fmt.Errorf("the files of the document have more than %d MiB together, or are more than %d: split the document", mostFileBytes>>20, mostFiles)
		}
		b, err := fs.ReadFile(o.folder, name)
		if err != nil {
			return nil, cause(err)
		}
		tree, err := yamltree.Parse(name, b)
		if err != nil {
			return nil, err
		}
		if tree.Root == nil || tree.Root.Kind != jsontree.Object {
			return nil, errors.New("it is no object")
		}
		if o.values += tree.Root.Size() / 8; o.values > mostValues*4 {
			return nil, errors.New("the files of the document have too many values together: split the document")
		}
		sum := sha256.Sum256(append([]byte(c.Digest+name), b...))
		c.Digest = hex.EncodeToString(sum[:])
		o.trees[name] = tree
		return tree.Root, nil
	}
}

// cause is the reason of a file error without the path.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// find returns the file that a pointer leads into, and the pointer there.
func (o *others) find(pointer string) (tree *yamltree.Tree, file, rest string) {
	file, rest = split(pointer)
	return o.trees[file], file, rest
}

// split returns the path of the file that a pointer leads into, or an empty one.
func split(pointer string) (file, rest string) {
	below, ok := strings.CutPrefix(pointer, "/"+resolve.Files+"/")
	if !ok {
		return "", pointer
	}
	token, rest, found := strings.Cut(below, "/")
	if found {
		rest = "/" + rest
	}
	file, _ = jsontree.UnescapePointer(token)
	return file, rest
}

// nameOf returns the name of the schema at a pointer: its last part, or the name of
// the file that it is.
func nameOf(pointer string) string {
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	if file, rest := split(pointer); rest == "" && file != "" {
		name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	return name
}
