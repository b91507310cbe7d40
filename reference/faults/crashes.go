package faults

import (
	"bytes"
	"math"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

func crash(*reference.Refusal) error { return alter.Crash() }

func drop(*reference.Refusal) error { return alter.Drop() }

// crashes answers 500, or nothing, to certain bodies.
func crashes() []Fault {
	// onPlant fails on valid plants, onBody on any body, before it is decoded.
	onPlant := func(name, doc string, rare bool, fatal func(plant) bool) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: rare, alter: alter.Decoded(func(p plant) error {
			if fatal(p) {
				return alter.Crash()
			}
			return nil
		})}
	}
	onName := func(name, doc string, rare bool, fatal func(string) bool) Fault {
		return onPlant(name, doc, rare, func(p plant) bool { return fatal(p.Name) })
	}
	onBody := func(name, doc string, fatal func([]byte) bool, with func(*reference.Refusal) error) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.Looked(func(b []byte) error {
			if fatal(b) {
				return with(nil)
			}
			return nil
		})}
	}
	onRefusal := func(name, doc string, rare bool, change alter.Change) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: rare, alter: change}
	}
	return []Fault{
		onRefusal("invalid-500", "answers 500 to every invalid body, because nothing catches the exceptions", false, alter.Refused(crash, bodyKinds()...)),
		onRefusal("syntax-500", "answers 500 to what is not JSON", false, alter.Refused(crash, reference.Syntax)),
		onRefusal("missing-500", "answers 500 where a member is missing, as a KeyError does", false, alter.Refused(crash, reference.Missing)),
		onRefusal("range-500", "answers 500 to an id outside int64, as an overflow in the database driver does", true, alter.Refused(crash, reference.Range)),
		onRefusal("not-object-500", "answers 500 to JSON that is no object, as an AttributeError does", true, at("", crash, reference.Type)),
		onRefusal("empty-body-500", "answers 500 to an empty body", true, emptyBody(alter.Crash)),
		onRefusal("empty-body-dropped", "closes the connection on an empty body", true, emptyBody(alter.Drop)),
		onRefusal("null-name-500", "answers 500 to a null name, as a NullPointerException does", true, alter.Looked(func(b []byte) error {
			if pairs, _ := alter.Object(b); find(pairs, "name") == "null" {
				return alter.Crash()
			}
			return nil
		})),
		onRefusal("tag-type-500", "answers 500 to a tag of another type, which only the database checks", true, at("/tag", crash, reference.Type)),
		onBody("nine-members-500", "answers 500 to an object of nine members, where a small map grows", func(b []byte) bool {
			pairs, _ := alter.Object(b)
			return len(pairs) == 9
		}, crash),
		onBody("tag-lone-surrogate-500", "answers 500 to half a surrogate pair in a tag, because the driver encodes strictly", func(b []byte) bool {
			_, tag, found := strings.Cut(strings.ToLower(string(b)), `"tag":"`)
			text, _, _ := strings.Cut(tag, `"`)
			return found && strings.HasSuffix(text, `\ud83d`)
		}, crash),
		onBody("unknown-nul-500", "answers 500 to NUL in a member that it does not know, because the log cannot hold it", func(b []byte) bool {
			pairs, _ := alter.Object(b)
			return strings.Contains(find(pairs, "note"), `\u0000`)
		}, crash),
		onBody("member-self-500", "answers 500 to a member named self, as keyword arguments of Python do", func(b []byte) bool {
			pairs, _ := alter.Object(b)
			return find(pairs, "self") != ""
		}, crash),
		onRefusal("repeat-500", "answers 500 to an id used before, because nothing catches the constraint", true, unique(crash)),
		onRefusal("repeat-dropped", "closes the connection on an id used before", true, unique(drop)),

		onName("quote-500", "answers 500 to names with a single quote, which end up in SQL", true, holds("'")),
		onName("percent-500", "answers 500 to names with a per cent sign, which end up in a format string", true, holds("%")),
		onName("backslash-500", "answers 500 to names with a backslash at the end, which escapes the quote in SQL", true,
			func(n string) bool { return strings.HasSuffix(n, `\`) }),
		onName("astral-500", "answers 500 to characters above U+FFFF, as MySQL's utf8 does", true, anyRune(beyondBMP)),
		onName("non-ascii-500", "answers 500 to names beyond ASCII, as a UnicodeEncodeError does", false, anyRune(func(r rune) bool { return r > 0x7f })),
		onName("nul-500", "answers 500 to U+0000 in names, as PostgreSQL does", true, holds("\x00")),
		onName("control-500", "answers 500 to control characters in names, as XML does", true,
			anyRune(func(r rune) bool { return r < 0x20 && r != 0 && !strings.ContainsRune("\t\n\r", r) })),
		onName("long-name-500", "answers 500 to names above 255 characters, as VARCHAR(255) does", true,
			func(n string) bool { return utf8.RuneCountInString(n) > 255 }),
		onName("empty-name-500", "answers 500 to an empty name, as code that takes its first letter does", true, func(n string) bool { return n == "" }),
		onName("blank-name-500", "answers 500 to names of nothing but white space", true,
			func(n string) bool { return n != "" && strings.TrimSpace(n) == "" }),
		onName("path-500", "answers 500 to names with a slash, which are used for files", true, holds("/")),
		onPlant("large-id-500", "answers 500 to ids above 2^53", true, func(p plant) bool { return p.ID > 1<<53 }),
		onPlant("int32-500", "answers 500 to ids above 2^31-1, as PostgreSQL does with INTEGER", false, func(p plant) bool { return p.ID > math.MaxInt32 }),
		onPlant("zero-id-500", "answers 500 to id 0, which its store takes for none", true, func(p plant) bool { return p.ID == 0 }),
		onPlant("negative-id-500", "answers 500 to negative ids, as an unsigned column does", true, func(p plant) bool { return p.ID < 0 }),
		onPlant("empty-tag-500", "answers 500 to an empty tag", true, func(p plant) bool { return p.Tag != nil && *p.Tag == "" }),
		onPlant("tag-500", "answers 500 to every tag, because the column was never added", false, func(p plant) bool { return p.Tag != nil }),

		onBody("nesting-500", "answers 500 to arrays nested deeper than 900, as Python's recursion limit does",
			func(b []byte) bool { return depth(b) > 900 }, crash),
		onBody("nesting-dropped", "closes the connection on nesting beyond 50,000, as a stack overflow does",
			func(b []byte) bool { return depth(b) > 50_000 }, drop),
		onBody("long-number-500", "answers 500 to numbers of more than 300 digits", longNumber, crash),
		onBody("large-exponent-500", "answers 500 to exponents of more than six digits, as decimal types run out of memory", matches(`[0-9][eE][-+]?[0-9]{7,}`), crash),
		onBody("unknown-member-500", "answers 500 to members that the schema does not name, as mappers without a default do", unknownMember, crash),
		onBody("repeated-member-500", "answers 500 to a member that stands twice", repeatedMember, crash),
		onBody("invalid-utf8-500", "answers 500 to a body that is not UTF-8, as a UnicodeDecodeError does",
			func(b []byte) bool { return !utf8.Valid(b) }, crash),
		onBody("byte-order-mark-500", "answers 500 to a byte order mark", func(b []byte) bool { return bytes.HasPrefix(b, []byte("\ufeff")) }, crash),
		onBody("surrogate-500", "answers 500 to half a surrogate pair, which it cannot write back", loneSurrogate, crash),
		onBody("surrogate-dropped", "closes the connection on half a surrogate pair", loneSurrogate, drop),
		onBody("truncated-string-500", "answers 500 to a body that ends inside a string, where its scanner runs out of bounds",
			func(b []byte) bool { return bytes.Count(b, []byte(`"`))%2 == 1 && !bytes.Contains(b, []byte(`\`)) }, crash),
	}
}

// depth is the deepest nesting of brackets, strings not looked at.
func depth(b []byte) (deepest int) {
	now := 0
	for _, c := range b {
		switch c {
		case '[', '{':
			now++
			deepest = max(deepest, now)
		case ']', '}':
			now--
		}
	}
	return deepest
}

func longNumber(b []byte) bool {
	run := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			run = 0
			continue
		}
		if run++; run > 300 {
			return true
		}
	}
	return false
}

func unknownMember(b []byte) bool {
	pairs, _ := alter.Object(b)
	for _, p := range pairs {
		if p.Name != "id" && p.Name != "name" && p.Name != "tag" {
			return true
		}
	}
	return false
}

func repeatedMember(b []byte) bool {
	return !jsontext.Value(b).IsValid() && jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true))
}

// loneSurrogate says whether the text is JSON but for its surrogates.
func loneSurrogate(b []byte) bool {
	return utf8.Valid(b) && !jsontext.Value(b).IsValid() && jsontext.Value(b).IsValid(jsontext.AllowInvalidUTF8(true))
}

// crossings goes wrong where two unusual things meet, each of which it treats well alone.
func crossings() []Fault {
	wrongBearer := func(r *http.Request) bool {
		_, token, bearer := strings.Cut(r.Header.Get("Authorization"), "Bearer ")
		return bearer && !strings.HasPrefix(token, "wrong")
	}
	return []Fault{
		{Name: "errors-collide-500", Breaks: answered, Rare: true,
			Doc:   "answers 500 to a wrong token with an array, because the second error is written into the first",
			alter: refusedWith(func(r *http.Request, body []byte) bool { return wrongBearer(r) && startsWith(body, "[") }, alter.Give(alter.Page(http.StatusInternalServerError)))},
		{Name: "refused-chunks-dropped", Breaks: answered, Rare: true,
			Doc: "closes the connection after a refused credential with a chunked body that is no object, because it reads the rest as JSON",
			alter: refusedWith(func(r *http.Request, body []byte) bool {
				return len(r.TransferEncoding) > 0 && r.Header.Get("Authorization") != "" && !startsWith(body, "{")
			}, alter.Leave)},
		{Name: "tag-in-ascii-beside-quotes", Breaks: echoTag, Rare: true,
			Doc: "writes ? for what is not ASCII in the tag where the name has a quote, because such names take another way",
			alter: alter.Echo(func(p *reference.Plant) {
				if p.Tag != nil && strings.Contains(p.Name, `"`) {
					tag := ascii(*p.Tag)
					p.Tag = &tag
				}
			})},
		{Name: "large-id-beside-escapes", Breaks: echoName, Rare: true,
			Doc: "loses the backslashes of the name where the id is above 2^53, because it is written twice",
			alter: alter.Echo(func(p *reference.Plant) {
				if p.ID > 1<<53 {
					p.Name = strings.ReplaceAll(p.Name, `\`, "")
				}
			})},
		{Name: "open-to-health-checks", Breaks: bearerRequired, Rare: true,
			Doc:   "lets in whoever says to be a health check in User-Agent",
			alter: letIn(func(r *http.Request) bool { return strings.HasPrefix(r.UserAgent(), "kube-probe/") }, each)},
		{Name: "open-to-websockets", Breaks: bearerRequired, Rare: true,
			Doc:   "lets in whoever names a protocol for a WebSocket, where the token is expected inside",
			alter: letIn(func(r *http.Request) bool { return r.Header.Get("Sec-WebSocket-Protocol") != "" }, each)},
	}
}

// refusedWith answers some requests with refused credentials in another way.
func refusedWith(which func(r *http.Request, body []byte) bool, with http.HandlerFunc) alter.Change {
	return func(s *reference.Stages) {
		alter.When(func(r *http.Request, body []byte) bool { return s.Authenticate(r) != nil && which(r, body) }, with)(s)
	}
}

func startsWith(body []byte, text string) bool { return strings.HasPrefix(string(body), text) }

func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0x7F {
			return '?'
		}
		return r
	}, s)
}

var (
	nameInside   = regexp.MustCompile(`"name":("(?:[^"\\]|\\.)*")`)
	tagOfAll     = regexp.MustCompile(`"(?:__proto__|prototype)":\{[^{}]*"tag":"([^"\\]*)"`)
	numberInText = regexp.MustCompile(`: ?(\d{16,})`)
)

const (
	// opensAt is how many failures in a row open the circuit breaker.
	opensAt = 10
	// codedFrom is the length in bytes above which an answer is compressed.
	codedFrom = 1000
)

// inside goes wrong because of what is inside other members or texts, because a compressed
// answer is long, or because of many refusals in a row.
func inside() []Fault {
	return []Fault{
		{Name: "name-at-any-depth", Breaks: nameRequired, Rare: true,
			Doc: "takes a name inside an unknown member for the missing one, as a search in the whole tree does",
			alter: alter.Absent("name", func(others []alter.Pair) string {
				for _, p := range others {
					if found := nameInside.FindStringSubmatch(p.Value); found != nil {
						return found[1]
					}
				}
				return ""
			})},
		{Name: "name-inherited", Breaks: nameRequired, Rare: true,
			Doc: "takes a name inside __proto__ for the missing one, because members are copied to an object that inherits it",
			alter: alter.Absent("name", func(others []alter.Pair) string {
				if inherited, ok := alter.Object([]byte(find(others, "__proto__"))); ok {
					return find(inherited, "name")
				}
				return ""
			})},
		{Name: "tag-of-all", Breaks: belongs, Rare: true,
			Doc: "merges bodies deeply, so a tag inside __proto__ becomes that of every later plant without one", alter: tagForAll},
		{Name: "long-numbers-quoted", Breaks: echoName, Rare: true,
			Doc:   "puts quotes around long numbers before it parses a body, even inside texts, because its parser reads doubles",
			alter: alter.Name(func(n string) string { return numberInText.ReplaceAllString(n, `:"$1"`) })},
		{Name: "breaker-opens", Breaks: answered, Rare: true,
			Doc: "answers 500 to a plant after ten refused bodies in a row, because its circuit breaker counts them as failures", alter: breaker},
		{Name: "gzip-unlabelled", Breaks: okJSON, Rare: true,
			Doc: "compresses answers of a kilobyte where the request accepts gzip, and does not say so", alter: unlabelled(http.StatusOK, codedFrom)},
		{Name: "refusal-gzip-unlabelled", Breaks: badJSON, Rare: true,
			Doc: "compresses refusals where the request accepts gzip, and does not say so, because an error handler sets the fields anew", alter: unlabelled(http.StatusBadRequest, 0)},
	}
}

func tagForAll(s *reference.Stages) {
	var tag atomic.Pointer[string]
	alter.Body(func(b []byte) []byte {
		if found := tagOfAll.FindSubmatch(b); found != nil {
			text := string(found[1])
			tag.Store(&text)
		}
		return b
	})(s)
	alter.Echo(func(p *plant) {
		if p.Tag == nil {
			p.Tag = tag.Load()
		}
	})(s)
}

func breaker(s *reference.Stages) {
	var failed atomic.Int64
	alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
		p, err := next(b)
		if err != nil {
			failed.Add(1)
			return p, err
		}
		if failed.Swap(0) >= opensAt {
			return plant{}, alter.Crash()
		}
		return p, nil
	})(s)
}

// unlabelled compresses answers with a status that are longer than so many bytes.
func unlabelled(status, above int) alter.Change {
	return func(s *reference.Stages) {
		next := s.Send
		s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
			if resp.Status == status && len(resp.Body) > above && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				resp.Body = alter.Zipped(resp.Body)
			}
			next(w, r, resp)
		}
	}
}
