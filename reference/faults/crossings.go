package faults

import (
	"net/http"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

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
