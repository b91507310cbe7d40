package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/yamltree"
)

// Limits of the files that a document refers to, all together.
const (
	maxFiles     = 2000
	maxFileBytes = 40 << 20
	maxValues    = 1_500_000
)

// Source says where a document is, and what it may refer to.
type Source struct {
	// At is the address of the document; nil if it is not known.
	At *url.URL
	// Folder has the files below that of the document; nil if none may be read.
	Folder fs.FS
	// Outside reads what is elsewhere; nil if nothing may be read.
	Outside Outside
	// Tested reports whether an operation is tested, by its names; nil if all are. Where not
	// all schemas of a document fit into the memory, the others have few.
	Tested func(*Operation) bool
	// Remembered is how much each shape remembers of the bodies that it read, in bytes.
	Remembered int
}

// Outside reads the files that the user allows a document to refer to.
type Outside interface {
	// Allows reports whether the file at an address may be read.
	Allows(*url.URL) bool
	// Prefix returns what the user would have to allow.
	Prefix(*url.URL) string
	// Read returns the bytes of a file that is allowed, at most so many.
	Read(at *url.URL, maximum int64) ([]byte, error)
}

// address returns where a document is. If that is not known, it is a made-up address
// that only relates the files of one folder.
func (s Source) address(name string) *url.URL {
	if s.At == nil {
		return &url.URL{Scheme: "document", Host: "local", Path: "/folder/" + path.Base(strings.ReplaceAll(name, `\`, "/"))}
	}
	at := *s.At
	at.User = nil // references to the document have no credentials
	return &at
}

// others reads the files that a document refers to.
type others struct {
	Source
	trees  map[string]*yamltree.Tree
	asked  int // files, readable or not
	bytes  int64
	values int
}

// open returns the function that reads one file, or says why it is not read.
func (o *others) open(c *Contract) func(File) (*jsontree.Value, string) {
	return func(f File) (*jsontree.Value, string) {
		below := f.Below && o.Folder != nil
		if !below && (o.Outside == nil || !o.Outside.Allows(f.At)) {
			return nil, o.leaves(f)
		}
		b, err := o.read(f, below)
		if err != nil {
			return nil, "cannot be read: " + err.Error()
		}
		tree, err := o.parse(f.Name, b)
		if err != nil {
			return nil, "cannot be read: " + err.Error()
		}
		sum := sha256.Sum256(append([]byte(c.Digest+f.Name), b...))
		c.Digest = hex.EncodeToString(sum[:])
		sum = sha256.Sum256([]byte(c.Stated + f.Name + stated(tree.Root)))
		c.Stated = hex.EncodeToString(sum[:])
		o.trees[f.Name] = tree
		return tree.Root, ""
	}
}

// leaves says that a reference leads to a file that may not be read, and what the user
// can do.
func (o *others) leaves(f File) string {
	what := "leaves the document"
	if o.Folder != nil && strings.HasPrefix(f.Name, "../") {
		what = "leaves the folder of the document"
	}
	what += ": bring it inside"
	if o.Outside != nil && slices.Contains([]string{"http", "https", "file"}, f.At.Scheme) {
		prefix := o.Outside.Prefix(f.At)
		if strings.Contains(prefix, " ") {
			prefix = "'" + prefix + "'"
		}
		what += ", or add --allow-ref " + prefix
	}
	return what
}

// read returns the bytes of a file.
func (o *others) read(f File, below bool) (b []byte, err error) {
	tooMuch := fmt.Errorf("the files of the document have more than %d MiB together, or are more than %d: split the document", maxFileBytes>>20, maxFiles)
	if o.asked++; o.asked > maxFiles {
		return nil, tooMuch
	}
	switch {
	case below:
		// A pipe would block whoever opens it.
		info, err := fs.Stat(o.Folder, f.Name)
		switch {
		case err != nil:
			return nil, cause(err)
		case !info.Mode().IsRegular():
			return nil, errors.New("it is no regular file")
		case o.bytes+info.Size() > maxFileBytes:
			return nil, tooMuch
		}
		if b, err = fs.ReadFile(o.Folder, f.Name); err != nil {
			return nil, cause(err)
		}
	default:
		if b, err = o.Outside.Read(f.At, maxFileBytes); err != nil {
			return nil, err
		}
	}
	if o.bytes += int64(len(b)); o.bytes > maxFileBytes {
		return nil, tooMuch
	}
	return b, nil
}

// parse reads the tree of a file.
func (o *others) parse(name string, b []byte) (*yamltree.Tree, error) {
	tree, err := yamltree.Parse(name, b)
	if err != nil {
		return nil, err
	}
	if tree.Root == nil || tree.Root.Kind != jsontree.Object {
		return nil, errors.New("it is no object")
	}
	if o.values += tree.Root.Size() / 8; o.values > maxValues*4 {
		return nil, errors.New("the files of the document have too many values together: split the document")
	}
	return tree, nil
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
	below, ok := strings.CutPrefix(pointer, "/"+Files+"/")
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

// Files is the member of the document that holds the files that it refers to, by their
// names.
const Files = "x-conformance-files"

// File is a file that a document refers to.
type File struct {
	// Name is the path from the folder of the document, or the address of a file that is
	// on another server.
	Name string
	At   *url.URL
	// Below reports whether it is below the folder of the document.
	Below bool
}

// file returns which file a reference names.
func (r *resolver) file(at *url.URL) File {
	f := File{Name: at.String(), At: at}
	if !strings.EqualFold(at.Scheme, r.base.uri.Scheme) || !strings.EqualFold(at.Host, r.base.uri.Host) || at.RawQuery != "" {
		return f
	}
	folder := path.Dir(r.base.uri.Path)
	if name, err := filepath.Rel(folder, at.Path); err == nil {
		f.Name = filepath.ToSlash(name)
		f.Below = f.Name != ".." && !strings.HasPrefix(f.Name, "../")
	}
	return f
}

// include reads the file that a reference names, and makes it a part of the
// document. It returns why that is not possible.
func (r *resolver) include(at *url.URL) (*resource, string) {
	key := at.String()
	if why, failed := r.unread[key]; failed {
		return nil, why
	}
	if r.open == nil {
		return nil, "leaves the document: bring it inside"
	}
	f := r.file(at)
	v, why := r.open(f)
	if why != "" {
		r.unread[key] = why
		return nil, why
	}
	if r.root.Get(Files) == nil {
		r.root.Set(Files, jsontree.NewObject())
	}
	r.root.Get(Files).Set(f.Name, v)
	in := &resource{uri: at, pointer: "/" + Files + "/" + jsontree.EscapePointer(f.Name)}
	r.resources[key], r.files[f.Name] = in, in
	outer := r.path
	r.path = []string{Files, f.Name}
	if v.Get("openapi") != nil {
		r.object(v, parsedDocument, in)
	} else {
		r.object(v, schemaObject, in) // for its names; the references say what it is
	}
	r.path = outer
	return in, ""
}

// around returns the file that a pointer leads into.
func (r *resolver) around(pointer string) *resource {
	if rest, ok := strings.CutPrefix(pointer, "/"+Files+"/"); ok {
		token, _, _ := strings.Cut(rest, "/")
		name, _ := jsontree.UnescapePointer(token)
		if in := r.files[name]; in != nil {
			return in
		}
	}
	return r.base
}
