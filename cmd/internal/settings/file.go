package settings

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// profilesKey is the one key of a settings file that is no flag.
const profilesKey = "profiles"

// largest is the maximum size of a settings file, in bytes. The memory that the parser
// needs grows with the square of the depth, so a larger file could take all of it.
const largest = 64 << 10

// maxOpen is how often a file may open a list or a mapping, each of which may be inside
// the one before.
const maxOpen = 1000

// file is a settings file as it is written.
type file struct {
	path, name string // where it is, and how errors name it
	base       []entry
	profiles   []profile
}

// profile is a part of a file that is chosen by name.
type profile struct {
	name    string
	line    int
	entries []entry
}

// entry is one key of a file with its texts.
type entry struct {
	key    string
	line   int
	list   bool
	texts  []text
	origin string
	rank   int
}

// text is a scalar as it is written, without quotes.
type text struct {
	value string
	line  int
	truth bool // true or false without quotes
}

// read reads a settings file. The error is a *Mistake.
func read(path, name string) (*file, error) {
	data, err := open(path)
	if err != nil {
		return nil, mistakef("give a settings file, or make one with conformance init", "--config %s: %v", name, err)
	}
	for _, opening := range []string{"[", "{", "- ", "? "} {
		if bytes.Count(data, []byte(opening)) > maxOpen {
			return nil, mistakef("write fewer", "%s: more than %d times %q", name, maxOpen, opening)
		}
	}
	f := &file{path: path, name: name}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, f.syntax(err)
	}
	var body ast.Node
	for _, d := range tree.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			return nil, mistakef("write one document", "%s: a second YAML document", place(name, line(d.Body)))
		}
		body = d.Body
	}
	if body == nil || body.Type() == ast.CommentType || body.Type() == ast.NullType {
		return f, nil
	}
	pairs, err := f.mapping(body, "write flags by their long names, such as target: http://localhost:8080")
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if p.key == profilesKey {
			f.profiles, err = f.readProfiles(p)
		} else {
			err = f.add(&f.base, p, "")
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func open(path string) ([]byte, error) {
	r, err := os.Open(path)
	var bad *fs.PathError
	if errors.As(err, &bad) {
		return nil, bad.Err
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, largest+1))
	switch {
	case errors.As(err, &bad):
		return nil, bad.Err
	case err == nil && len(data) > largest:
		return nil, errors.New("longer than 64 KiB")
	}
	return data, err
}

// syntax puts an error of the parser into one line.
func (f *file) syntax(err error) error {
	var s *yaml.SyntaxError
	if errors.As(err, &s) && s.GetToken() != nil {
		what, _, _ := strings.Cut(s.GetMessage(), "\n")
		return mistakef("correct the YAML", "%s: %s", place(f.name, s.GetToken().Position.Line), what)
	}
	what, _, _ := strings.Cut(err.Error(), "\n")
	return mistakef("correct the YAML", "%s: %s", f.name, what)
}

// add reads an entry of the file, or of a profile that the origin of its value names.
// The only key with a mapping is profiles: another one may be that word, mistyped.
func (f *file) add(list *[]entry, p pair, profile string) error {
	switch p.value.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		if hint := meant(p.key, []string{profilesKey}, ""); profile == "" && hint != "" {
			return mistakef(hint, "%s: unknown key %q", place(f.name, p.line), p.key)
		}
	}
	e, err := f.entry(p, place(f.name, p.line)+profile)
	*list = append(*list, e)
	return err
}

func (f *file) readProfiles(p pair) ([]profile, error) {
	const hint = "write the name of each profile, and its flags below"
	named, err := f.mapping(p.value, hint)
	if err != nil {
		return nil, err
	}
	var out []profile
	for _, n := range named {
		q := profile{name: n.key, line: n.line}
		pairs, err := f.mapping(n.value, hint)
		if err != nil {
			return nil, err
		}
		for _, inner := range pairs {
			if err := f.add(&q.entries, inner, " (profile "+q.name+")"); err != nil {
				return nil, err
			}
		}
		out = append(out, q)
	}
	return out, nil
}

// choose returns the entries of a file by their keys. Those of the named profile replace
// those outside of it. The error is a *Mistake.
func choose(f *file, name string) (map[string]entry, error) {
	out := map[string]entry{}
	if f == nil {
		return out, nil
	}
	for _, e := range f.base {
		e.rank = fromFile
		out[e.key] = e
	}
	if name == "" {
		return out, nil
	}
	var known []string
	for _, p := range f.profiles {
		known = append(known, p.name)
		if p.name != name {
			continue
		}
		for _, e := range p.entries {
			e.rank = fromProfile
			out[e.key] = e
		}
		return out, nil
	}
	otherwise := "it has none"
	if len(known) > 0 {
		otherwise = "it has " + strings.Join(known, ", ")
	}
	return nil, mistakef(meant(name, known, otherwise), "%s has no profile %q", f.name, name)
}

// path is the file to read; empty for none.
func (s Source) path() (string, error) {
	if filepath.IsAbs(s.File) {
		return s.File, nil
	}
	if s.File != "" {
		return filepath.Join(s.Folder, s.File), nil
	}
	path := s.search()
	if path == "" && s.Profile != "" {
		return "", mistakef("make one with conformance init, or name one with --config FILE", "--profile %s: there is no %s here or above", s.Profile, Name)
	}
	return path, nil
}

// search looks upward from the folder. It ends with the top of a repository, and
// with the home folder: what lies above is somebody else's. A folder in which
// everyone may leave files, such as /tmp, is passed over for the same reason.
func (s Source) search() string {
	for folder := s.Folder; ; folder = filepath.Dir(folder) {
		path := filepath.Join(folder, Name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !shared(folder) {
			return path
		}
		_, err := os.Lstat(filepath.Join(folder, ".git"))
		if err == nil || folder == s.Home || folder == filepath.Dir(folder) {
			return ""
		}
	}
}

// shared reports whether everyone may leave files in a folder.
func shared(folder string) bool {
	info, err := os.Stat(folder)
	return err == nil && info.Mode()&fs.ModeSticky != 0 && info.Mode().Perm()&0o002 != 0
}

// shown is a path as errors name it.
func (s Source) shown(path string) string {
	if s.File != "" {
		return s.File
	}
	if rel, err := filepath.Rel(s.Folder, path); err == nil {
		return rel
	}
	return path
}

// moved turns a path that is relative to the file into one from the working folder.
func (s Source) moved(flag *kong.Flag, f *file, text string) string {
	head, path := "", text
	words := strings.FieldsFunc(flag.PlaceHolder, func(r rune) bool { return r == '|' || r == '=' })
	switch {
	case flag.PlaceHolder == "FORMAT=PATH":
		name, rest, found := strings.Cut(text, "=")
		if !found {
			return text
		}
		head, path = name+"=", rest
	case !slices.Contains(words, "FILE") && !slices.Contains(words, "PREFIX"):
		return text
	}
	if path == "" || path == "-" || strings.Contains(path, "://") || filepath.IsAbs(path) {
		return text
	}
	folder, err := filepath.Rel(s.Folder, filepath.Dir(f.path))
	if err != nil {
		folder = filepath.Dir(f.path)
	}
	if folder == "." {
		return text
	}
	return head + filepath.Join(folder, path)
}
