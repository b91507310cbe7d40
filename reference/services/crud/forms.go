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
)

// uploadFile keeps the file of a form and gives it a name.
func uploadFile(c *call) *answer {
	fields := c.multipart()
	body, given := fields["file"]
	c.must(given || c.early != nil, "body/file", "required", "must be there")
	ext := c.field(fields, "ext", true, text{enum: extensions()})
	c.field(fields, "title", true, text{min: 1, max: 60})
	revision := "1"
	if raw, given := fields["revision"]; given {
		revision = string(raw)
		bounds{integer: true, min: "1", max: "99"}.text(c, "body/revision", revision)
	}
	if raw, given := fields["meta"]; given {
		v, ok := readJSON(raw)
		if c.must(ok, "body/meta", "json", "must be JSON") {
			object{required: []string{"author"}, closed: true, members: map[string]check{
				"author": text{min: 1, max: 40}.is, "license": text{enum: []string{"open", "closed"}}.is}}.is(c, "body/meta", v)
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
	return found(http.StatusCreated, map[string]any{"name": name, "ext": ext, "size": whole(int64(len(body))),
		"revision": whole(int64(within(revision, 1, 1, 99)))})
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
		if !c.must(err == nil, "body", "multipart", "must be a form") {
			return out
		}
		raw, err := io.ReadAll(part)
		if !c.must(err == nil && part.FormName() != "", "body", "multipart", "must be a form") {
			return out
		}
		_, twice := out[part.FormName()]
		c.must(!twice, "body/"+part.FormName(), "repeated", "must be there once")
		out[part.FormName()] = raw
	}
}

// field judges a field of a form that is text.
func (c *call) field(fields map[string][]byte, name string, required bool, t text) string {
	raw, given := fields[name]
	if !given {
		c.must(!required || c.early != nil, "body/"+name, "required", "must be there")
		return ""
	}
	if c.must(utf8.Valid(raw), "body/"+name, "encoding", "must be UTF-8") {
		t.check(c, "body/"+name, string(raw))
	}
	return string(raw)
}

// downloadFile answers with a file, byte for byte.
func downloadFile(c *call) *answer {
	name, at := c.segment("name")
	text{pattern: filePattern}.check(c, at, name)
	ext, at := c.segment("ext")
	text{enum: extensions()}.check(c, at, ext)
	c.store.Lock()
	defer c.store.Unlock()
	f := c.store.files[name]
	c.missing = f == nil || f.ext != ext && !c.has("any-extension")
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
	bounds{integer: true, min: "2000", max: "2099"}.text(c, at, year)
	month, at := c.segment("month")
	text{pattern: monthPattern}.check(c, at, month)
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
	return found(http.StatusOK, map[string]any{"month": name, "projects": whole(int64(projects)), "tasks": whole(int64(tasks))})
}

// sendFeedback takes the opinion of anybody who consents.
func sendFeedback(c *call) *answer {
	consent, at, given := c.cookie("consent")
	if c.must(given, at, "required", "must be there") {
		c.flag(at, consent)
	}
	locale, at, given := c.cookie("locale")
	if given {
		text{enum: []string{"en", "de", "fr"}}.check(c, at, locale)
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
	if !c.must(err == nil && allUTF8(fields), "body", "form", "must be a form") {
		return
	}
	one := func(name string, required bool) (value, at string, given bool) {
		at = "body/" + name
		all := fields[name]
		if len(all) == 0 {
			c.must(!required, at, "required", "must be there")
			return "", at, false
		}
		c.must(len(all) == 1, at, "repeated", "must be there once")
		return all[0], at, true
	}
	if v, at, given := one("message", true); given {
		text{min: 3, max: 200}.check(c, at, v)
	}
	if v, at, given := one("rating", true); given {
		bounds{integer: true, min: "1", max: "5"}.text(c, at, v)
	}
	if v, at, given := one("email", false); given {
		text{format: "email", max: 120}.check(c, at, v)
	}
	if v, at, given := one("anonymous", false); given {
		c.flag(at, v)
	}
	if topics := fields["topics"]; topics != nil {
		list{max: 3, items: text{enum: []string{"look", "speed", "price", "other"}}.is}.texts(c, "body/topics", topics)
	}
	for name := range fields {
		if c.has("unknown-members-refused") && !strings.Contains(" message rating email anonymous topics ", " "+name+" ") {
			c.must(false, "body/"+name, "name", "is no member here")
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
	if c.must(given, at, "required", "must be there") {
		c.must(utf8.ValidString(q.value), at, "encoding", "must be UTF-8")
		text{min: 2, max: 50}.check(c, at, q.value)
	}
	kinds := hitKinds()
	if p, at, given := c.query("in"); given {
		kinds = split(p.value, " ")
		list{min: 1, max: 3, unique: true, items: text{enum: hitKinds()}.is}.texts(c, at, kinds)
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
	v, ok := readJSON([]byte(p.value))
	if !c.must(ok, at, "json", "must be JSON") {
		return nil
	}
	out, _ := object{closed: true, members: map[string]check{"archived": boolean, "prefix": text{min: 1, max: 20}.is}}.is(c, at, v).(map[string]any)
	return out
}

// getBadge draws letters.
func getBadge(c *call) *answer {
	raw, at := c.segment("size")
	size, ok := strings.CutPrefix(raw, ";size=")
	if c.must(ok, at, "style", "must be written as ;size=16") {
		bounds{integer: true, min: "8", max: "64"}.text(c, at, size)
	}
	raw, at = c.path["colors"], "path/colors"
	label, ok := strings.CutPrefix(raw, ".")
	var colors []string
	if c.must(ok, at, "style", "must be written as .red.green") {
		colors = split(label, ".")
		for i := range colors {
			text, err := url.PathUnescape(colors[i])
			c.must(err == nil, at, "encoding", "must be percent-encoded")
			colors[i] = text
		}
		list{min: 1, max: 3, items: text{enum: []string{"red", "green", "blue"}}.is}.texts(c, at, colors)
	}
	if a := c.refused(); a != nil {
		return a
	}
	wide := within(size, 8, 8, 64)
	return content("text/plain; charset=utf-8", []byte(strings.Repeat("#", wide)+" "+strings.Join(colors, "/")))
}
