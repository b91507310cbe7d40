package settings

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

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
