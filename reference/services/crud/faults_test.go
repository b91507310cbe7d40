package crud

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shows gives for each fault one request that shows it.
func shows() map[string]request {
	c := DefaultCredentials()
	bearer, desk := "Authorization: Bearer "+c.Bearer, "X-Desk-Key: "+c.DeskKey
	user := func(pairs ...string) request { return send("POST", "/users", jsonMedia, userWith(pairs...)) }
	project := func(pairs ...string) request {
		return send("POST", "/projects", jsonMedia, projectWith(pairs...))
	}
	bug := func(pairs ...string) request {
		return send("POST", "/projects/1/tasks", jsonMedia, bugWith(pairs...))
	}
	patch := func(body string) request { return send("PATCH", "/projects/1", mergeMedia, body) }
	head := request{method: "HEAD", target: "/projects/1"}
	report := func(month string) request { return bare("GET", "/reports/"+month+".json", desk) }
	badge := func(path string) request { return bare("GET", "/badges/"+path) }
	const other = `"x":1`
	return map[string]request{
		"limit-type": get("/projects?limit=abc"), "limit-minimum": get("/projects?limit=0"), "limit-maximum": get("/projects?limit=101"),
		"offset-minimum": get("/users?offset=-1"), "offset-type": get("/users?offset=1.5"),
		"status-enum": get("/projects?status=Draft"), "archived-type": get("/projects?archived=maybe"), "created-after-format": get("/projects?createdAfter=2023-02-29"),
		"tags-item-pattern": get("/projects?tags=ok,N0"), "tags-max-items": get("/projects?tags=a,b,c,d,e,f"), "tags-unique": get("/projects?tags=a,a"),
		"budget-min-type": get("/projects?budget[min]=some"), "budget-min-minimum": get("/projects?budget[min]=-0.01"),
		"budget-max-maximum": get("/projects?budget[max]=1000001"), "budget-unknown": get("/projects?budget[mean]=1"), "sort-enum": get("/projects?sort=budget"),
		"cursor-pattern": get("/projects/1/tasks?cursor=c"), "state-enum": get("/projects/1/tasks?state=done"),
		"due-before-format":      get("/projects/1/tasks?dueBefore=2026-01-02"),
		"labels-item-max-length": get("/projects/1/tasks?labels=ok|thirteenchars"), "labels-max-items": get("/projects/1/tasks?labels=aa%7Cbb%7Ccc%7Cdd%7Cee"),
		"q-required": searchFor(""), "q-min-length": searchFor("q=x"), "q-max-length": searchFor("q=" + strings.Repeat("x", 51)),
		"in-enum": searchFor("q=xx&in=file"), "in-unique": searchFor("q=xx&in=user%20user"),
		"where-json": searchFor("q=xx&where=%7B"), "where-member-type": searchFor("q=xx&where=%7B%22archived%22:1%7D"), "where-unknown": searchFor("q=xx&where=%7B%22x%22:1%7D"),

		"request-id-format": get("/projects/1", "X-Request-Id: 17"), "x-labels-pattern": get("/users", "X-Labels: ok,NO"), "x-labels-max-items": get("/users", "X-Labels: aa,bb,cc,dd"),
		"if-match-pattern": send("PUT", "/projects/1", jsonMedia, projectWith(), "If-Match: 17"), "if-match-optional": send("PUT", "/projects/1", jsonMedia, projectWith()),
		"consent-required": feedback("message=fine&rating=1", "Cookie: locale=de"), "consent-type": feedback("message=fine&rating=1", "Cookie: consent=yes"),
		"locale-enum": feedback("message=fine&rating=1", "Cookie: consent=true; locale=xx"),

		"year-type": report("20x6-01"), "year-minimum": report("1999-01"), "year-maximum": report("2100-01"), "month-pattern": report("2026-13"),
		"size-maximum": badge(";size=65/.red"), "size-minimum": badge(";size=7/.red"), "rating-prefix": feedback("message=fine&rating=1st"), "colors-enum": badge(";size=8/.red.pink"),
		"colors-max-items": badge(";size=8/.red.red.red.red"), "any-extension": get("/files/f1.exe"),

		"message-required": feedback("rating=1"), "message-min-length": feedback("message=no&rating=1"), "rating-type": feedback("message=fine&rating=good"),
		"rating-maximum": feedback("message=fine&rating=6"), "feedback-email-format": feedback("message=fine&rating=1&email=me"),
		"anonymous-type": feedback("message=fine&rating=1&anonymous=on"), "topics-enum": feedback("message=fine&rating=1&topics=taste"),
		"topics-max-items": feedback("message=fine&rating=1&topics=look&topics=look&topics=look&topics=look"),
		"file-required":    upload("file", "-"), "title-required": upload("title", "-"), "title-max-length": upload("title", strings.Repeat("x", 61)),
		"ext-enum": upload("ext", "exe"), "revision-maximum": upload("revision", "100"), "revision-type": upload("revision", "new"),
		"meta-json": upload("meta", "{"), "meta-author-required": upload("meta", "{}"),
		"note-max-length": send("PUT", aTask+"/note", "text/plain", strings.Repeat("x", 501)), "note-min-length": send("PUT", aTask+"/note", "text/plain", ""),

		"not-json": send("POST", "/users", jsonMedia, `{"name":`), "body-optional": send("POST", "/users", "", ""),
		"media-type-not-checked": send("POST", "/users", "application/xml", userWith()),
		"user-name-required":     user("name", ""), "password-required": user("password", ""), "user-name-type": user("name", "5"), "user-name-min-length": user("name", `""`),
		"user-name-max-length": user("name", `"`+strings.Repeat("x", 61)+`"`), "password-min-length": user("password", `"short"`), "email-format": user("email", `"me"`),
		"homepage-format": user("homepage", `"example.com"`), "birthday-format": user("birthday", `"1.2.2003"`), "role-enum": user("role", `"boss"`),
		"avatar-format": user("avatar", `"a*b="`), "address-type": user("address", `"Ulm"`), "city-required": user("address", `{}`),
		"zip-pattern": user("address", `{"city":"Ulm","zip":"8907"}`), "address-unknown": user("address", `{"city":"Ulm",`+other+`}`),

		"code-pattern": project("code", `"tw-7"`), "budget-type": project("budget", `"9"`), "budget-minimum": project("budget", "-1"),
		"budget-exclusive-maximum": project("budget", "1000000"), "budget-multiple-of": project("budget", "0.001"), "team-exclusive-minimum": project("team", "0"),
		"progress-multiple-of": project("progress", "7"), "starts-format": project("starts", `"2026-04-31"`), "archived-body-type": project("archived", `"true"`),
		"milestones-min-items":     project("milestones", "[]"),
		"milestones-max-items":     project("milestones", `[{"title":"1"},{"title":"2"},{"title":"3"},{"title":"4"},{"title":"5"},{"title":"6"}]`),
		"milestone-title-required": project("milestones", `[{"done":true}]`), "milestone-due-format": project("milestones", `[{"title":"1","due":"soon"}]`),
		"project-tags-unique": project("tags", `["a","a"]`), "project-unknown": project("x", "1"), "contact-website-format": project("contact", `{"website":"//x"}`),
		"put-name-required": send("PUT", "/projects/1", jsonMedia, projectWith("name", ""), "If-Match: *"),
		"patch-empty":       patch("{}"), "patch-status-enum": patch(`{"status":"lost"}`), "patch-name-null": patch(`{"name":null}`), "patch-unknown": patch("{" + other + "}"),
		"kind-unknown": bug("kind", `"story"`), "severity-required": bug("severity", ""), "severity-maximum": bug("severity", "6"), "task-unknown": bug("value", `"low"`),
		"steps-min-items": bug("steps", "[]"), "assignee-format": bug("assigneeId", `"Ann"`),

		"bearer-optional": bare("GET", "/users"), "bearer-not-checked": bare("GET", "/users", "Authorization: Bearer x"),
		"bearer-prefix": bare("GET", "/users", "Authorization: Bearer "+c.Bearer[:10]), "bearer-any-scheme": bare("GET", "/users", "Authorization: Basic "+c.Bearer),
		"list-public": bare("GET", "/users"), "desk-key-optional": bare("GET", "/reports/2026-01.json"), "desk-key-not-checked": bare("GET", "/reports/2026-01.json", "X-Desk-Key: x"),
		"desk-key-any-case": bare("GET", "/reports/2026-01.json", "X-Desk-Key: "+strings.ToUpper(c.DeskKey)), "desk-key-in-query": bare("GET", "/reports/2026-01.json?X-Desk-Key="+c.DeskKey),
		"query-key-optional": bare("GET", "/search?q=xx"), "query-key-not-checked": bare("GET", "/search?q=xx&api_key=x"), "query-key-in-header": bare("GET", "/search?q=xx", "api_key: "+c.QueryKey),
		"half-of-and": bare("DELETE", "/projects/1", bearer), "other-half-of-and": bare("DELETE", "/projects/1", desk),

		"total-count-missing": get("/projects"), "total-count-type": get("/projects"), "total-count-minimum": get("/projects/1/tasks"),
		"location-missing": bug(), "location-format": bug(), "etag-missing": get("/projects/1"), "etag-unquoted": get("/files/f1.txt"), "head-etag-missing": head,
		"request-id-spoilt": send("POST", "/projects", jsonMedia, projectWith(), "X-Request-Id: "+nobody), "challenge-missing": bare("GET", "/users/"+userID),
		"created-as-200": project(), "accepted-as-202": user(), "deleted-as-200": {method: "DELETE", target: aTask}, "head-as-204": head,
		"missing-as-200": get("/users/" + nobody), "missing-as-418": get("/projects/1/tasks/" + nobody), "refusal-as-500": get("/projects/1/tasks?limit=0"), "refusal-as-200": searchFor(""),

		"user-as-html": get("/users/" + userID), "media-missing": report("2026-01"), "note-as-json": get(aTask + "/note"), "download-as-text": get("/files/f1.txt"),
		"problem-as-json": get("/projects?limit=0"), "body-on-head": head, "body-on-204": {method: "DELETE", target: "/projects/1"},
		"empty-body": send("POST", aTask+"/complete", "", ""), "cut-off": patch(`{"budget":1}`), "page-as-object": get("/users"), "list-null": get("/projects/1/tasks?state=archived"),
		"email-missing": get("/users/" + userID), "created-id-missing": project(), "password-echoed": user(), "status-default": project(), "project-id-text": get("/projects/1"), "budget-text": get("/projects"),
		"state-unknown": send("POST", aTask+"/complete", "", ""), "created-at-format": send("PUT", "/projects/1", jsonMedia, projectWith(), "If-Match: *"),
		"receipt-format": feedback("message=fine&rating=1"), "closed-answer-open": feedback("message=fine&rating=1"), "title-null": get(aTask), "size-negative": upload(),
		"report-fraction": report("2026-01"), "badge-short": badge(";size=8/.red"), "problem-title-missing": searchFor(""), "problem-status-text": report("1-01"),
		"problem-errors-object": user("name", ""),

		"crash-limit-100": get("/users?limit=100"), "crash-emoji": user("name", "\"\U0001F331\""), "crash-null": user("birthday", "null"), "crash-quote": searchFor("q=o'x"),
		"crash-december": report("2026-12"), "crash-empty-file": upload("file", ""), "crash-missing-project": get("/projects/2/tasks"), "drops-connection": badge(";size=8/.red.red.red"),
	}
}

func TestEachFaultShowsInOneRequest(t *testing.T) {
	all := shows()
	b := openBook(t)
	names, alone := map[string]bool{}, 0
	for _, f := range append(Faults(), Unjudged()...) {
		assert.False(t, names[f.Name], "%s: the name is taken", f.Name)
		names[f.Name] = true
		if !f.Alone() {
			continue // several requests show it
		}
		alone++
		t.Run(f.Name, func(t *testing.T) {
			assert.NotEmpty(t, f.Breaks)
			assert.NotEmpty(t, f.Doc)
			_, _, found := b.at(f.Clause)
			assert.True(t, found, "%s is not in the document", f.Clause)
			q, given := all[f.Name]
			require.True(t, given, "no request shows it")
			right, wrong := serve(t).send(t, q), serve(t, WithFault(f)).send(t, q)
			require.NoError(t, right.err)
			if f.Name == "body-on-head" || f.Name == "body-on-204" {
				return // the client of net/http hides it; see the test of the bytes
			}
			assert.NotEqual(t, right.seen(), wrong.seen())
			if f.skips != "" {
				assert.GreaterOrEqual(t, right.status, 400)
				assert.Less(t, wrong.status, 300, "%s", wrong.body)
			}
		})
	}
	assert.GreaterOrEqual(t, alone, 45)
	assert.Len(t, all, alone)
}

func TestTheRightServiceAnswersWhatShowsAFaultByTheDocument(t *testing.T) {
	b := openBook(t)
	for name, q := range shows() {
		r := serve(t).send(t, q)
		require.NoError(t, r.err, name)
		path, _, _ := strings.Cut(q.target, "?")
		for _, o := range operations() {
			if _, ok := matchPath(o.path, path); ok && o.method == q.method {
				b.judge(t, o.name, q.method, r)
			}
		}
	}
}
