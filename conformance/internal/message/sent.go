package message

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Credential classifies what a request carries to authenticate.
type Credential uint8

// The credentials.
const (
	CredentialValid   Credential = iota // or none is needed
	CredentialAbsent                    // no credential at all
	CredentialScheme                    // another scheme, or no scheme
	CredentialToken                     // malformed or wrong
	CredentialCase                      // right, the scheme in another case
	CredentialBlanks                    // right, several blanks behind the scheme
	CredentialUnclear                   // right beside something else: either answer
	CredentialOther                     // right, by another alternative than the chosen one
)

// Expectation is what the server has to do with a request because of its credential.
func (c Credential) Expectation() Expectation {
	switch c {
	case CredentialValid:
		return Unstated
	case CredentialAbsent, CredentialScheme, CredentialToken:
		return RefuseCredential
	}
	return Anything
}

// wrong reports whether a credential has to be refused.
func (c Credential) wrong() bool { return c.Expectation() == RefuseCredential }

// Fault says what is wrong or unusual in the credential of one scheme.
type Fault struct {
	Scheme     string
	Credential Credential
}

// Sent says what the final bytes of a request are.
type Sent struct {
	// Body is nil if the operation has none.
	Body *schema.Reading
	// Transport lists the differences from a baseline request outside body and
	// credential. If there are any, any 4xx, 417, 501 and 505 are correct too.
	Transport []string
	// OtherMedia reports whether the only difference is a media type that the document
	// does not list, where it describes 415.
	OtherMedia bool
	// Ignorable reports whether the server may pass over the body: the operation needs
	// none, and the document does not list the media type of this one.
	Ignorable bool
	// Negotiated reports whether the head asks for another answer than the usual
	// one, or for another method. The form of a success is then not judged.
	Negotiated bool
	// Understood reports whether all differences are fields that say which codings or
	// languages the client understands (RFC 9110, 12.5.3 and 12.5.4). They do not
	// change the form of an error.
	Understood bool
	// Cut reports whether the bytes are sent in several pieces.
	Cut bool
	// AnyError reports whether any error answers the request. Its framing is invalid,
	// doubtful or incomplete (RFC 9112, 6.3 and 8), its chunks have parts that no usual
	// client sends, or it names a content coding that its body does not have (RFC 9110,
	// 8.4). Servers that keep the contract meet all this below the application, while it
	// reads, and answer what they answer to any error of reading.
	AnyError bool
	// PathRespelled reports whether the path is written in a way that some servers take for
	// another path, which something else may answer.
	PathRespelled bool
	Credential    Credential
	// Faults are the schemes whose credentials are not right as usual.
	Faults []Fault
	// Alternative is the label of the one that a CredentialOther satisfies.
	Alternative string
	// CredentialTransport reports whether the credential is over 1 kB or has
	// characters outside VCHAR: its refusal may come from below the application.
	CredentialTransport bool
	// Stored reports whether the request asks only for a stored answer
	// (only-if-cached). A 504 then says that there is none (RFC 9111, 5.2.1.7).
	Stored bool
	// About reports whether the request names a thing that an earlier request of its case
	// made, and may have deleted. Whether it is a success is for the rules about the
	// history to judge.
	About bool
	// Reused reports whether a value of this request was sent before in its case.
	Reused bool
	// OwnKey reports whether the request gives a key, such as an id, that no earlier one of
	// its case gave: it is about another thing, whatever else it repeats.
	OwnKey bool
}

// Expectation is what the server has to do with a request: what a class says of it, and
// what its final bytes say.
type Expectation uint8

// The expectations. A body that cannot be decided may get either answer.
const (
	Unstated         Expectation = iota // a class says nothing
	Accept                              // success
	Either                              // success, or a refusal of a documented form
	Refuse                              // a refusal of a documented form
	RefuseNotJSON                       // the same, of a body that breaks the grammar of JSON
	RefuseAnyhow                        // any 4xx, 501, 505: the head is not baseline, the body must be refused
	RefuseCredential                    // any 4xx
	Anything                            // success or any 4xx, 417, 501, 505
)

// String says what the server has to do.
func (e Expectation) String() string {
	return [...]string{
		Unstated:         "depends on the request: each is judged by its own bytes",
		Accept:           "must be accepted",
		Either:           "may be refused",
		Refuse:           "must be refused: the body violates the schema",
		RefuseNotJSON:    "must be refused: the body is not JSON",
		RefuseAnyhow:     "must be refused: the body is wrong, and the head is unusual",
		RefuseCredential: "must be refused: the credential is missing or wrong",
		Anything:         "may be refused in any form",
	}[e]
}

// Expectation returns what the server has to do with the request.
func (s *Sent) Expectation() Expectation {
	if e := s.Credential.Expectation(); e != Unstated {
		return e
	}
	switch {
	case len(s.Transport) > 0 && s.Flawed() && !s.Negotiated && !s.Ignorable:
		return RefuseAnyhow
	case len(s.Transport) > 0:
		return Anything
	case s.About:
		return Anything
	case s.Body == nil || s.Body.Kind == schema.MustAccept && !s.Reused:
		return Accept
	case s.Body.Kind == schema.MustAccept || s.Body.Kind == schema.MayRefuse || s.Body.Kind == schema.Undecided:
		return Either
	case s.Body.Kind == schema.NotJSON:
		return RefuseNotJSON
	}
	return Refuse
}

// Flawed reports whether the body or a parameter has to be refused, whatever else is wrong.
func (s *Sent) Flawed() bool {
	return s.Body != nil && (s.Body.Kind == schema.Invalid || s.Body.Kind == schema.NotJSON)
}

// CredentialOf returns what the request carries for one scheme; for an empty name,
// what it carries at all.
func (s *Sent) CredentialOf(scheme string) Credential {
	if scheme == "" {
		return s.Credential
	}
	for _, f := range s.Faults {
		if f.Scheme == scheme {
			return f.Credential
		}
	}
	return CredentialValid
}

// Redirectable reports whether a redirect answers the request: its path may be
// written otherwise, or it says that it came to another host or without TLS (RFC 7239).
func (s *Sent) Redirectable() bool {
	return slices.ContainsFunc(s.Transport, func(what string) bool {
		return what == OddPath || what == "field if-none-match" || what == "field if-modified-since" || what == "field forwarded" || what == "field front-end-https" || strings.HasPrefix(what, "field x-forwarded-")
	})
}

// turns are fields that ask for another thing, or for the same one in another place,
// language or method: a redirect can be the answer, whoever asks (RFC 7089; W3C Upgrade
// Insecure Requests, 3.2.1).
var turns = append([]string{
	"upgrade-insecure-requests", "accept-datetime", "negotiate", "accept-features", "accept-language", "accept-version", "api-version",
	"x-original-host", "x-host", "x-url-scheme", "x-scheme", "cf-visitor", "if-none-match", "if-modified-since",
}, elsewhere...)

// Turned reports whether a redirect may answer the request although its credential has
// to be refused. Fields like Accept allow another form of an answer, and no redirect.
func (s *Sent) Turned() bool {
	return s.AnyError || s.Redirectable() || slices.ContainsFunc(s.Transport, func(what string) bool {
		name, is := strings.CutPrefix(what, "field ")
		return is && slices.Contains(turns, strings.TrimSuffix(name, " twice")) || what == "query" || what == "malformed head" || what == "no host" || strings.HasPrefix(what, "host: ")
	})
}

// elsewhere are fields that ask for another method or path.
var elsewhere = []string{"x-http-method-override", "x-http-method", "x-method-override", "x-original-url", "x-rewrite-url"}

// Changes reports whether a field asks for a method that changes the thing which an operation only
// reads: a server that does as asked, such as Javalin, would take the thing from other cases.
func Changes(op *openapi.Operation, f exchange.Field) bool {
	asks := strings.Contains(lower(f.Name), "method") && slices.Contains(elsewhere, lower(f.Name))
	reads := op.Method == http.MethodGet || op.Method == http.MethodHead || op.Method == http.MethodOptions
	return asks && reads && len(openapi.Expressions(op.Path)) > 0 && slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}, f.Value)
}

// Elsewhere reports whether a field asks for another method or path: another operation may then
// answer.
func (s *Sent) Elsewhere() bool {
	return slices.ContainsFunc(elsewhere, func(name string) bool { return slices.Contains(s.Transport, "field "+name) })
}

// Refusable reports whether a server error (5xx) is an allowed refusal: of what the
// head asks for.
func (s *Sent) Refusable(status int) bool {
	switch {
	case s.AnyError:
		return true
	case slices.Contains(s.Transport, "no host") && slices.Contains(s.Transport, "HTTP/1.0"):
		return true // a server may refuse the version (RFC 9110, 15.6.6)
	case status == 504:
		return s.Stored
	case status == 501 || status == 505:
		return len(s.Transport) > 0 || s.Expectation() == Anything
	}
	return false
}

// Refuses reports whether a body must be refused.
func (e Expectation) Refuses() bool { return e == Refuse || e == RefuseNotJSON || e == RefuseAnyhow }

// Framing is how a body travels.
type Framing uint8

// The framings.
const (
	Length      Framing = iota // Content-Length
	Chunked                    // several chunks
	Expect                     // Content-Length and Expect: 100-continue
	Pieces                     // Content-Length, head and body apart, the body cut inside a character
	HeadPieces                 // Content-Length, the head cut in its middle
	ManyPieces                 // Content-Length, head and body apart, both cut in several places
	SplitChunks                // many chunks, whose ends are inside characters
	LastChunk                  // two chunks, the last byte in one of its own
	AsIs                       // Raw follows the head, and Fields say how it is framed
)

// Chunky reports whether the body comes in chunks.
func (f Framing) Chunky() bool { return f == Chunked || f == SplitChunks || f == LastChunk }

// insideCharacter returns an index inside the first multi-byte character, or behind the
// first blank, or the middle of the body.
func insideCharacter(body []byte) int {
	for i, c := range body {
		if c >= utf8.RuneSelf {
			return i + 1
		}
	}
	if i := bytes.IndexByte(body, ' '); i >= 0 && i < len(body)-1 {
		return i + 1
	}
	return len(body) / 2
}

// A request whose head the suite made longer than longHead is the last one on its
// connection: some servers misread what follows a line that was too long for them.
const longHead = 1 << 10

// visible reports whether a head has only printable ASCII, tabs and line ends. Other bytes
// are obsolete in fields (RFC 9110, 5.5) and invalid in a target, and parsers below the
// application close the connection on them.
func visible(head []byte) bool {
	for _, c := range head {
		if c >= 0x7f || c < ' ' && c != '\r' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// ManyPieces cuts the body and the head into so many pieces.
const (
	manyPieces = 24
	headPieces = 4
	// MaxPieces is how many pieces a request of the framing ManyPieces has at most.
	MaxPieces = manyPieces + headPieces
)

// everywhere returns where head and body are cut, as exchange.Request counts.
func everywhere(head, body int) []int {
	var cuts []int
	for i := headPieces - 1; i >= 0; i-- {
		cuts = append(cuts, -i*head/headPieces)
	}
	for i := 1; i < manyPieces; i++ {
		if at := i * body / manyPieces; at > cuts[len(cuts)-1] {
			cuts = append(cuts, at)
		}
	}
	return cuts
}

// maxChunks bounds the chunks of a body of nothing but wide characters.
const maxChunks = 64

// insideCharacters returns the sizes of chunks that end inside each multi-byte
// character, behind its first byte and before its last one in turns. Without any,
// each byte is a chunk.
func insideCharacters(body []byte) []int {
	var sizes []int
	from := 0
	for i := 0; i < len(body) && len(sizes) < maxChunks; {
		_, n := utf8.DecodeRune(body[i:])
		if n > 1 {
			end := i + 1
			if len(sizes)%2 == 1 {
				end = i + n - 1
			}
			sizes = append(sizes, end-from)
			from = end
		}
		i += n
	}
	if len(sizes) == 0 {
		return slices.Repeat([]int{1}, min(len(body), maxChunks))
	}
	return sizes
}

// Gap is the white space between the colon of a field and its value. It means nothing
// (RFC 9112, 5.1).
type Gap uint8

// The gaps.
const (
	OneBlank Gap = iota
	NoBlank
	TwoBlanks
)

// String is the name of the gap in case ids.
func (g Gap) String() string {
	return [...]string{"blank-behind-colon", "no-blank-behind-colon", "two-blanks-behind-colon"}[g]
}

// in returns a head with the gap in each of its fields.
func (g Gap) in(head []byte) []byte {
	if g == OneBlank {
		return head
	}
	lines := strings.Split(string(head), "\r\n")
	for i := 1; i < len(lines); i++ {
		if name, value, found := strings.Cut(lines[i], ": "); found {
			lines[i] = name + ":" + [...]string{" ", "", "  "}[g] + value
		}
	}
	return []byte(strings.Join(lines, "\r\n"))
}
