package openapi

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

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
		r.object(v, schema, in) // for its names; the references say what it is
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
