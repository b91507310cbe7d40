package crud

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plantstore/reference/kit"
)

// uploadFile keeps the file of a form and gives it a name.
func uploadFile(c *call) *answer {
	fields := c.multipart()
	body, given := fields["file"]
	c.Must(given || c.early != nil, "body/file", "required", "must be there")
	ext := c.field(fields, "ext", true, kit.Text{Enum: extensions()})
	c.field(fields, "title", true, kit.Text{Min: 1, Max: 60})
	revision := "1"
	if raw, given := fields["revision"]; given {
		revision = string(raw)
		kit.Number{Integer: true, Min: "1", Max: "99"}.Read(c, "body/revision", revision)
	}
	if raw, given := fields["meta"]; given {
		v, ok := kit.ReadJSON(raw)
		if c.Must(ok, "body/meta", "json", "must be JSON") {
			kit.Object{Required: []string{"author"}, Closed: true, Members: map[string]kit.Schema{
				"author": kit.Text{Min: 1, Max: 40}.Is, "license": kit.Text{Enum: []string{"open", "closed"}}.Is}}.Is(c, "body/meta", v)
		}
	}
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	name := fmt.Sprintf("f%d", len(c.store.files)+1)
	if !slices.Contains(extensions(), ext) {
		ext = "bin"
	}
	c.store.files[name] = &file{ext: ext, bytes: body}
	return found(http.StatusCreated, map[string]any{"name": name, "ext": ext, "size": kit.Whole(int64(len(body))),
		"revision": kit.Whole(int64(within(revision, 1, 1, 99)))})
}

func extensions() []string { return []string{"txt", "bin", "csv"} }

// multipart reads the parts of a form, each name once.
func (c *call) multipart() map[string][]byte {
	out := map[string][]byte{}
	_, parameters, err := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if c.early != nil || c.body == nil || err != nil {
		return out
	}
	r := multipart.NewReader(bytes.NewReader(c.body), parameters["boundary"])
	for {
		part, err := r.NextRawPart()
		if err == io.EOF {
			return out
		}
		if !c.Must(err == nil, "body", "multipart", "must be a form") {
			return out
		}
		raw, err := io.ReadAll(part)
		if !c.Must(err == nil && part.FormName() != "", "body", "multipart", "must be a form") {
			return out
		}
		_, twice := out[part.FormName()]
		c.Must(!twice, "body/"+part.FormName(), "repeated", "must be there once")
		out[part.FormName()] = raw
	}
}

// field judges a field of a form that is text.
func (c *call) field(fields map[string][]byte, name string, required bool, t kit.Text) string {
	raw, given := fields[name]
	if !given {
		c.Must(!required || c.early != nil, "body/"+name, "required", "must be there")
		return ""
	}
	if c.Must(utf8.Valid(raw), "body/"+name, "encoding", "must be UTF-8") {
		t.Check(c, "body/"+name, string(raw))
	}
	return string(raw)
}

// downloadFile answers with a file, byte for byte.
func downloadFile(c *call) *answer {
	name, at := c.segment("name")
	kit.Text{Pattern: filePattern}.Check(c, at, name)
	ext, at := c.segment("ext")
	kit.Text{Enum: extensions()}.Check(c, at, ext)
	c.store.Lock()
	defer c.store.Unlock()
	f := c.store.files[name]
	c.missing = f == nil || f.ext != ext && !c.Has("any-extension")
	if a := c.refused(); a != nil {
		return a
	}
	a := content("application/octet-stream", f.bytes)
	a.header.Set("ETag", c.weak(tag(f.bytes)))
	return a
}

// getReport counts what was made in a month.
func getReport(c *call) *answer {
	year, at := c.segment("year")
	kit.Number{Integer: true, Min: "2000", Max: "2099"}.Read(c, at, year)
	month, at := c.segment("month")
	kit.Text{Pattern: monthPattern}.Check(c, at, month)
	if a := c.refused(); a != nil {
		return a
	}
	// A check that is left out must not corrupt the answer as well.
	if y := within(year, 2000, 2000, 2099); !monthPattern.MatchString(month) || fmt.Sprint(y) != year {
		year, month = fmt.Sprint(y), "01"
	}
	name, projects, tasks := year+"-"+month, 0, 0
	c.store.Lock()
	defer c.store.Unlock()
	for _, p := range c.store.projects {
		if strings.HasPrefix(c.store.stamp(p.created), name) {
			projects++
		}
		for _, t := range p.tasks {
			if strings.HasPrefix(c.store.stamp(t.created), name) {
				tasks++
			}
		}
	}
	return found(http.StatusOK, map[string]any{"month": name, "projects": kit.Whole(int64(projects)), "tasks": kit.Whole(int64(tasks))})
}

// sendFeedback takes the opinion of anybody who consents.
func sendFeedback(c *call) *answer {
	consent, at, given := c.cookie("consent")
	if c.Must(given, at, "required", "must be there") {
		c.flag(at, consent)
	}
	locale, at, given := c.cookie("locale")
	if given {
		kit.Text{Enum: []string{"en", "de", "fr"}}.Check(c, at, locale)
	}
	c.feedback()
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	out := map[string]any{"receipt": c.store.uuid(), "received": c.store.stamp(time.Now())}
	if locale == "en" || locale == "de" || locale == "fr" {
		out["locale"] = locale
	}
	return found(http.StatusAccepted, out)
}

// feedback judges the form.
func (c *call) feedback() {
	if c.early != nil || c.body == nil {
		return
	}
	fields, err := url.ParseQuery(string(c.body))
	if !c.Must(err == nil && allUTF8(fields), "body", "form", "must be a form") {
		return
	}
	one := func(name string, required bool) (value, at string, given bool) {
		at = "body/" + name
		all := fields[name]
		if len(all) == 0 {
			c.Must(!required, at, "required", "must be there")
			return "", at, false
		}
		c.Must(len(all) == 1, at, "repeated", "must be there once")
		return all[0], at, true
	}
	if v, at, given := one("message", true); given {
		kit.Text{Min: 3, Max: 200}.Check(c, at, v)
	}
	if v, at, given := one("rating", true); given {
		if i := strings.IndexFunc(v, func(r rune) bool { return r < '0' || r > '9' }); i > 0 && c.Has("rating-prefix") {
			v = v[:i]
		}
		kit.Number{Integer: true, Min: "1", Max: "5"}.Read(c, at, v)
	}
	if v, at, given := one("email", false); given {
		kit.Text{Format: "email", Max: 120}.Check(c, at, v)
	}
	if v, at, given := one("anonymous", false); given {
		c.flag(at, v)
	}
	if topics := fields["topics"]; topics != nil {
		kit.List{Max: 3, Items: kit.Text{Enum: []string{"look", "speed", "price", "other"}}.Is}.Texts(c, "body/topics", topics)
	}
	for name := range fields {
		if c.Has("unknown-members-refused") && !strings.Contains(" message rating email anonymous topics ", " "+name+" ") {
			c.Must(false, "body/"+name, "name", "is no member here")
		}
	}
}

// allUTF8 reports whether a form has only text.
func allUTF8(fields url.Values) bool {
	for name, values := range fields {
		if !utf8.ValidString(name + strings.Join(values, "")) {
			return false
		}
	}
	return true
}

// search finds users, projects and tasks whose title has a text.
func search(c *call) *answer {
	q, at, given := c.query("q")
	if c.Must(given, at, "required", "must be there") {
		c.Must(utf8.ValidString(q.value), at, "encoding", "must be UTF-8")
		kit.Text{Min: 2, Max: 50}.Check(c, at, q.value)
	}
	kinds := hitKinds()
	if p, at, given := c.query("in"); given {
		kinds = split(p.value, " ")
		kit.List{Min: 1, Max: 3, Unique: true, Items: kit.Text{Enum: hitKinds()}.Is}.Texts(c, at, kinds)
	}
	where := c.where()
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	hits, more := []any{}, false
	prefix, _ := where["prefix"].(string)
	add := func(kind, id, title string) {
		switch {
		case !slices.Contains(kinds, kind), !strings.Contains(title, q.value), !strings.HasPrefix(title, prefix):
		case len(hits) == 20:
			more = true
		default:
			hits = append(hits, map[string]any{"kind": kind, "id": id, "title": title})
		}
	}
	for _, u := range c.store.users {
		add("user", u.id, fmt.Sprint(u.members["name"]))
	}
	for _, p := range c.store.projects {
		if want, given := where["archived"]; given && want != p.members["archived"] {
			continue
		}
		add("project", fmt.Sprint(p.id), p.name())
		for _, t := range p.tasks {
			add("task", t.id, fmt.Sprint(t.members["title"]))
		}
	}
	return found(http.StatusOK, map[string]any{"hits": hits, "more": more})
}

func hitKinds() []string { return []string{"user", "project", "task"} }

// where reads the parameter that is JSON.
func (c *call) where() map[string]any {
	p, at, given := c.query("where")
	if !given {
		return nil
	}
	v, ok := kit.ReadJSON([]byte(p.value))
	if !c.Must(ok, at, "json", "must be JSON") {
		return nil
	}
	out, _ := kit.Object{Closed: true, Members: map[string]kit.Schema{"archived": kit.Boolean, "prefix": kit.Text{Min: 1, Max: 20}.Is}}.Is(c, at, v).(map[string]any)
	return out
}

// getBadge draws letters.
func getBadge(c *call) *answer {
	raw, at := c.segment("size")
	size, ok := strings.CutPrefix(raw, ";size=")
	if c.Must(ok, at, "style", "must be written as ;size=16") {
		kit.Number{Integer: true, Min: "8", Max: "64"}.Read(c, at, size)
	}
	raw, at = c.path["colors"], "path/colors"
	label, ok := strings.CutPrefix(raw, ".")
	var colors []string
	if c.Must(ok, at, "style", "must be written as .red.green") {
		colors = split(label, ".")
		for i := range colors {
			text, err := url.PathUnescape(colors[i])
			c.Must(err == nil, at, "encoding", "must be percent-encoded")
			colors[i] = text
		}
		kit.List{Min: 1, Max: 3, Items: kit.Text{Enum: []string{"red", "green", "blue"}}.Is}.Texts(c, at, colors)
	}
	if a := c.refused(); a != nil {
		return a
	}
	wide := within(size, 8, 8, 64)
	return content("text/plain; charset=utf-8", []byte(strings.Repeat("#", wide)+" "+strings.Join(colors, "/")))
}
