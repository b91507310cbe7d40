package otherservers

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// boxes is one collection of Boxes.
type boxes struct {
	keeper
	wrong, name string
	next        int
}

// Boxes serves boxes.yaml: things of four kinds, each with keys of another form. What is
// named wrong, if anything, is done wrong, or right in an unusual way.
func Boxes(wrong string) http.Handler {
	mux := http.NewServeMux()
	for _, name := range []string{"boxes", "labels", "seals", "notes"} {
		b := &boxes{wrong: wrong, name: name}
		b.handle(mux, wrong, "POST /"+name, func(c *check, r *http.Request) (int, any) {
			thing := c.words(r, "box", false, "title")
			if c.complaint != "" {
				return 400, nil
			}
			thing["id"] = b.key()
			b.things = append(b.things, thing)
			return 201, thing
		})
		b.handle(mux, wrong, "GET /"+name+"/{id}", func(_ *check, r *http.Request) (int, any) {
			if i := b.at(b.read(r.PathValue("id"), "read")); i >= 0 {
				return 200, b.things[i]
			}
			return b.missing(r.PathValue("id")), nil
		})
		b.handle(mux, wrong, "DELETE /"+name+"/{id}", func(_ *check, r *http.Request) (int, any) {
			i := b.at(b.read(r.PathValue("id"), "dropped"))
			if i < 0 {
				return b.missing(r.PathValue("id")), nil
			}
			b.things = slices.Delete(b.things, i, i+1)
			return 204, nil
		})
	}
	return mux
}

// key makes the key of a new thing.
func (b *boxes) key() any {
	b.next++
	drawn := make([]byte, 16)
	_, _ = rand.Read(drawn)
	switch text := hex.EncodeToString(drawn); b.name {
	case "labels":
		return "lab_" + text[:16]
	case "seals": // the last letter is one that a case changes
		return text[:8] + "-" + text[8:12] + "-4" + text[13:16] + "-a" + text[17:20] + "-" + text[20:31] + "f"
	case "notes":
		return "n" + text[:12]
	}
	return 100 + b.next
}

// at returns the place of the thing with a key, or -1.
func (b *boxes) at(key string) int {
	return slices.IndexFunc(b.things, func(t map[string]any) bool { return fmt.Sprint(t["id"]) == key })
}

// read reads a key as this server does.
func (b *boxes) read(key, why string) string {
	first := map[string]string{"boxes": `^[0-9]+`, "labels": `^lab_[0-9a-f]{16}`, "notes": `^n[0-9a-f]{12}`, "seals": `^[0-9a-f-]{36}`}[b.name]
	switch b.wrong {
	case "only the beginning of a key is " + why:
		return regexp.MustCompile(first).FindString(key)
	case "other letters", "letters of any case in seals":
		if b.wrong == "other letters" || b.name == "seals" {
			return strings.ToLower(key)
		}
	case "blanks are trimmed":
		return strings.TrimSpace(key)
	case "any base":
		if n, err := strconv.ParseInt(key, 0, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	case "32 bits":
		if n, err := strconv.ParseInt(key, 10, 64); err == nil {
			return strconv.Itoa(int(int32(n)))
		}
	case "half a key":
		if i := slices.IndexFunc(b.things, func(t map[string]any) bool {
			k := fmt.Sprint(t["id"])
			return len(k) == 36 && len(key) == 36 && k[:18] == key[:18]
		}); i >= 0 {
			return fmt.Sprint(b.things[i]["id"])
		}
	}
	return key
}

// missing returns the status where nothing has a key.
func (b *boxes) missing(key string) int {
	form := map[string]string{"boxes": `^[1-9][0-9]*$`, "labels": `^lab_[0-9a-f]{16}$`, "notes": "", "seals": `^[0-9a-fA-F-]{36}$`}[b.name]
	if b.wrong == "wrong keys are bad requests" && !regexp.MustCompile(form).MatchString(key) {
		return 400
	}
	return 404
}
