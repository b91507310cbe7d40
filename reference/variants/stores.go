package variants

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// refuses refuses some plants that the contract lets one refuse or is silent
// about.
func refuses(at, reason string, which func(reference.Plant) bool) alter.Change {
	return alter.Decoded(func(p reference.Plant) error {
		if which(p) {
			return alter.Bad(at, reason)
		}
		return nil
	})
}

func refusesName(reason string, which func(string) bool) alter.Change {
	return refuses("/name", reason, func(p reference.Plant) bool { return which(p.Name) })
}

func refusesTag(reason string, which func(string) bool) alter.Change {
	return refuses("/tag", reason, func(p reference.Plant) bool { return p.Tag != nil && which(*p.Tag) })
}

// unique refuses a key that was stored before.
func unique(at string, key func(reference.Plant) any) alter.Change {
	return func(s *reference.Stages) {
		var used sync.Map
		next := s.Append
		s.Append = func(ctx context.Context, p reference.Plant) error {
			if _, taken := used.LoadOrStore(key(p), true); taken {
				return &reference.Refusal{Kind: reference.Taken, At: at, Reason: "is used by another plant"}
			}
			return next(ctx, p)
		}
	}
}

// generalCI gives the weight of a character in a collation of 1996.
func generalCI(c rune) rune {
	if c > 0xFFFF {
		return 0xFFFD
	}
	return unicode.ToUpper(c)
}

// first answers an id used before with the plant that has it.
func first(s *reference.Stages) {
	var stored sync.Map
	alter.Echo(func(p *reference.Plant) {
		if kept, used := stored.LoadOrStore(p.ID, *p); used {
			*p = kept.(reference.Plant)
		}
	})(s)
}

// shortWord matches tags of short lower-case words.
var shortWord = regexp.MustCompile(`^[a-z]([a-z -]{0,18}[a-z])?$`)

// kinds are the tags of a store that has a list of them.
func kinds() []string {
	return []string{"flower", "fern", "tree", "shrub", "herb", "vine", "cactus", "succulent", "grass", "moss", "vegetable", "fruit", "indoor", "outdoor"}
}

// stores keep plants under rules of their own.
func stores() []Variant {
	control := func(text string) bool { return strings.IndexFunc(text, unicode.IsControl) >= 0 }
	return []Variant{
		{Name: "unique-ids", Doc: "refuses an id used before with 400", alter: unique("/id", func(p reference.Plant) any { return p.ID })},
		{Name: "unique-names", Doc: "refuses a name used before with 400", alter: unique("/name", func(p reference.Plant) any { return p.Name })},
		{Name: "unique-names-any-case", Doc: "refuses a name used before in any case, as case-insensitive collations do",
			alter: unique("/name", func(p reference.Plant) any { return strings.ToLower(p.Name) })},
		{Name: "unique-names-astral-alike", Doc: "refuses a name used before in any case, and takes all characters above U+FFFF for one, as MySQL's utf8mb4_general_ci does",
			alter: unique("/name", func(p reference.Plant) any { return strings.Map(generalCI, p.Name) })},
		{Name: "unique-tags", Doc: "refuses a tag used before, and takes any number of plants without one",
			alter: unique("/tag", func(p reference.Plant) any {
				if p.Tag == nil {
					return new(int)
				}
				return *p.Tag
			})},
		{Name: "unique-both", Doc: "refuses an id and a name used before",
			alter: alter.All(unique("/id", func(p reference.Plant) any { return p.ID }), unique("/name", func(p reference.Plant) any { return p.Name }))},
		{Name: "unique-plants", Doc: "refuses a plant that equals one before in every member",
			alter: unique("", func(p reference.Plant) any {
				if p.Tag != nil {
					return [3]any{p.ID, p.Name, *p.Tag}
				}
				return [2]any{p.ID, p.Name}
			})},
		{Name: "first-plant-wins", Doc: "answers an id used before with the plant that has it", Warns: []string{"echo-may-refuse"}, alter: first},
		{Name: "name-at-most-64", Doc: "refuses names above 64 characters",
			alter: refusesName("is too long", func(n string) bool { return utf8.RuneCountInString(n) > 64 })},
		{Name: "name-not-empty", Doc: "refuses empty and blank names", alter: refusesName("must not be blank", func(n string) bool { return strings.TrimSpace(n) == "" })},
		{Name: "no-control-characters", Doc: "refuses control characters in names and tags",
			alter: alter.All(refusesName("has control characters", control), refusesTag("has control characters", control))},
		{Name: "no-space-at-ends", Doc: "refuses names with white space at their ends",
			alter: refusesName("has white space at its ends", func(n string) bool { return strings.TrimSpace(n) != n })},
		{Name: "tag-from-list", Doc: "refuses tags that are not among fourteen common kinds of plants",
			alter: refusesTag("is not a known kind", func(t string) bool { return !slices.Contains(kinds(), t) })},
		{Name: "tag-own-list", Doc: "refuses tags that are not among three German words for kinds of plants", Values: []string{"/tag=Baum"},
			alter: refusesTag("is not a known kind", func(t string) bool { return t != "Baum" && t != "Strauch" && t != "Gras" })},
		{Name: "tag-words", Doc: "refuses tags that are not up to 20 small letters, blanks and hyphens",
			alter: refusesTag("must be a word", func(t string) bool { return !shortWord.MatchString(t) })},
		{Name: "tag-not-empty", Doc: "refuses an empty tag", alter: refusesTag("must not be empty", func(t string) bool { return t == "" })},
		{Name: "tag-empty-is-absent", Doc: "takes an empty tag for an absent one", Warns: []string{"echo-may-refuse-tag"},
			alter: alter.Echo(func(p *reference.Plant) {
				if p.Tag != nil && *p.Tag == "" {
					p.Tag = nil
				}
			})},
		{Name: "positive-ids", Doc: "refuses ids below one", alter: refuses("/id", "must be positive", func(p reference.Plant) bool { return p.ID < 1 })},
		{Name: "natural-ids", Doc: "refuses negative ids and takes zero", alter: refuses("/id", "must not be negative", func(p reference.Plant) bool { return p.ID < 0 })},
		{Name: "names-trimmed", Doc: "cuts white space off the ends of names", Warns: []string{"echo-may-refuse"}, alter: alter.Name(strings.TrimSpace)},
		{Name: "names-composed", Doc: "answers names in normal form C, as file systems and some databases do", Warns: []string{"echo-exact"}, alter: alter.Name(norm.NFC.String)},
		{Name: "nul-lost", Doc: "drops U+0000 from names", Warns: []string{"echo-may-refuse"},
			alter: alter.Name(func(n string) string { return strings.ReplaceAll(n, "\x00", "") })},
	}
}

// strictly refuses bodies by a look at their text.
func strictly(reason string, which func(body []byte) bool) alter.Change {
	return alter.Looked(func(b []byte) error {
		if which(b) {
			return &reference.Refusal{Kind: reference.Syntax, Reason: reason}
		}
		return nil
	})
}

// readers take more or less of what the contract is silent about.
func readers() []Variant {
	loosely := func(options ...jsontext.Options) func([]byte) []byte {
		return func(b []byte) []byte {
			out, err := jsontext.AppendFormat(nil, b, options...)
			if err != nil {
				return b
			}
			return out
		}
	}
	fraction := regexp.MustCompile(`[0-9][.eE]`)
	return []Variant{
		{Name: "plain-integers-only", Doc: "refuses 1.0 and 1e2 for ids, as most typed languages do", alter: alter.Value("id", func(v string) string {
			if fraction.MatchString(v) && v[0] != '"' {
				return `"` + v + `"`
			}
			return v
		})},
		{Name: "unknown-members-refused", Doc: "refuses members that the schema does not name, as .strict() and DisallowUnknownFields do",
			alter: alter.Looked(func(b []byte) error {
				pairs, _ := alter.Object(b)
				for _, p := range pairs {
					if p.Name != "id" && p.Name != "name" && p.Name != "tag" {
						return alter.Bad("", "has an unknown member")
					}
				}
				return nil
			})},
		{Name: "last-repeated-member", Doc: "takes the last of several members of one name, as most parsers do", alter: alter.Body(repeated(true))},
		{Name: "first-repeated-member", Doc: "takes the first of several members of one name", alter: alter.Body(repeated(false))},
		{Name: "invalid-utf8-replaced", Doc: "takes bodies that are not UTF-8 and answers with U+FFFD for what it cannot read", Warns: []string{"echo-may-refuse"},
			alter: alter.Body(loosely(jsontext.AllowInvalidUTF8(true)))},
		{Name: "byte-order-mark-taken", Doc: "takes a byte order mark before the body, as .NET does",
			alter: alter.Body(func(b []byte) []byte { return []byte(strings.TrimPrefix(string(b), "\ufeff")) })},
		{Name: "shallow", Doc: "refuses nesting deeper than 32", alter: strictly("is nested too deeply", func(b []byte) bool {
			depth, deepest := 0, 0
			for _, c := range b {
				depth += strings.Count("[{", string(c)) - strings.Count("]}", string(c))
				deepest = max(deepest, depth)
			}
			return deepest > 32
		})},
		{Name: "doubles", Doc: "takes ids that a double rounds to a whole number, as JavaScript does",
			alter: alter.Value("id", roundedAway)},
		{Name: "short-numbers", Doc: "refuses numbers of more than 100 characters anywhere", alter: strictly("has a number that is too long", regexp.MustCompile(`[-+.0-9eE]{101}`).Match)},
	}
}
