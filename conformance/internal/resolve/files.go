package resolve

import (
	"net/url"
	"path"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Files is the member of the document under which the other files stand that it
// refers to, each by its path.
const Files = "x-conformance-files"

// include reads the file that a reference names, and makes it a part of the
// document. It returns why that is not possible.
func (r *resolver) include(x reference, u *url.URL) (*resource, string) {
	const outside = "leaves the document: bring it inside"
	if r.open == nil || x.in.uri.Scheme != r.base.uri.Scheme || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Path == "" || u.Path[0] == '/' {
		return nil, outside
	}
	at := path.Join(path.Dir(strings.TrimPrefix(x.in.uri.Path, "/")), u.Path)
	if at == ".." || strings.HasPrefix(at, "../") {
		return nil, "leaves the folder of the document: bring it inside"
	}
	in := &resource{uri: &url.URL{Scheme: r.base.uri.Scheme, Host: r.base.uri.Host, Path: "/" + at}}
	if known := r.resources[in.uri.String()]; known != nil {
		return known, ""
	}
	v, err := r.open(at)
	if err != nil {
		return nil, "cannot be read: " + err.Error()
	}
	if r.root.Get(Files) == nil {
		r.root.Set(Files, jsontree.NewObject())
	}
	r.root.Get(Files).Set(at, v)
	in.pointer = "/" + Files + "/" + jsontree.EscapePointer(at)
	r.resources[in.uri.String()] = in
	outer := r.path
	r.path = []string{Files, at}
	if v.Get("openapi") != nil {
		r.object(v, document, in)
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
		if in := r.resources[(&url.URL{Scheme: r.base.uri.Scheme, Host: r.base.uri.Host, Path: "/" + name}).String()]; in != nil {
			return in
		}
	}
	return r.base
}
