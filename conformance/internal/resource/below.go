package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
)

// uppers returns, for things that a POST makes below one other thing each, the kinds of
// things above them: the nearest first. It is empty for things that several others may
// share, as far as the document shows that: they can be made or put in another place too.
func (r *Resource) uppers(all []*Resource, ops []*openapi.Operation) []*Resource {
	collection, _ := cut(r.Path)
	if r.Make.Method != http.MethodPost || trimmed(r.Make.Path) != collection || r.Replace != nil && r.Replace.Lists(http.StatusCreated) != nil || elsewhere(r, ops) {
		return nil
	}
	var out []*Resource
	for path, _ := cut(collection); path != ""; path, _ = cut(path) {
		i := slices.IndexFunc(all, func(o *Resource) bool { return o.Path == path })
		if i >= 0 && all[i].Read != nil && all[i].Make.Method == http.MethodPost && strings.HasPrefix(path, trimmed(all[i].Make.Path)+"/") {
			out = append(out, all[i])
		} else if len(out) == 0 {
			return nil // the nearest one has to be known
		}
	}
	return out
}

// cut splits a path before its last segment.
func cut(path string) (before, last string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// elsewhere reports whether a thing of the same kind can be made or put in another place.
func elsewhere(r *Resource, ops []*openapi.Operation) bool {
	collection, _ := cut(r.Path)
	_, word := cut(collection)
	return slices.ContainsFunc(ops, func(op *openapi.Operation) bool {
		path := trimmed(op.Path)
		if op.Method != http.MethodPost && op.Method != http.MethodPut || path == collection || strings.HasPrefix(path, r.Path) {
			return false
		}
		before, last := cut(path)
		if strings.HasSuffix(last, "}") {
			_, last = cut(before)
		}
		return last == word
	})
}

// Writes lists the operations that change one thing or delete it, or do something with it.
func (r *Resource) Writes() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range []*openapi.Operation{r.Replace, r.Patch, r.Delete} {
		if op != nil {
			out = append(out, op)
		}
	}
	for _, op := range r.Parts {
		if r.IsPart(op) && op.Method == http.MethodPost && !OnlyAsks(op) {
			out = append(out, op)
		}
	}
	return out
}

// OnlyAsks reports whether the path of an operation says that it changes nothing, and that
// what it answers may only be what would be.
func OnlyAsks(op *openapi.Operation) bool {
	last := strings.ToLower(op.Path[strings.LastIndexByte(op.Path, '/')+1:])
	for _, word := range []string{"preview", "simul", "dry", "valid", "check", "quote", "estim", "calc", "test", "diff", "render", "search", "query", "plan"} {
		if strings.Contains(last, word) {
			return true
		}
	}
	return false
}
