package crud

import (
	"net/http"
	"slices"
)

// conditionFaults break what entity tags and conditions promise (RFC 9110, 8.8.3 and 13).
func conditionFaults() []Fault {
	condition := func(name, method, requirement, breaks, doc string, a around) Fault {
		return history(name, projectAt+"/"+method, method+"-projects-projectid-"+requirement, breaks, doc, a)
	}
	// constant gives every version of a project one entity tag.
	constant := afterwards("createProject getProject headProject replaceProject changeProject", func(c *call, a *answer) {
		a.header.Set("ETag", `"project"`)
	})
	unconditional := func(ops string) around {
		return on(ops, func(c *call, do func(*call) *answer) *answer {
			if matchPattern.MatchString(c.request.Header.Get("If-Match")) {
				c.request.Header.Set("If-Match", "*")
			}
			return do(c)
		})
	}
	return []Fault{
		condition("etag-constant", "get", "strong-etag", "the ETag of a project never changes", "the tag is made of what does not change", constant),
		condition("etag-put-stays", "get", "strong-etag", "the ETag of a project does not change with a PUT", "only PATCH counts the version",
			afterwards("replaceProject", func(c *call, a *answer) {
				if p, _ := c.named(); p != nil {
					p.version--
					a.header.Set("ETag", p.tag())
				}
			})),
		condition("etag-patch-stays", "get", "strong-etag", "the ETag of a project does not change with a PATCH", "only PUT counts the version",
			afterwards("changeProject", func(c *call, a *answer) {
				if p, _ := c.named(); p != nil {
					p.version--
					a.header.Set("ETag", p.tag())
				}
			})),
		condition("if-match-ignored", "put", "if-match", "replaceProject ignores the tag in If-Match", "the field is required and never compared", unconditional("replaceProject")),
		condition("if-match-ignored-patch", "patch", "if-match", "changeProject ignores If-Match", "only PUT compares it", unconditional("changeProject")),
		condition("if-match-weak", "put", "if-match", "replaceProject compares the beginning of the tag alone", "the version is cut off before the comparison",
			on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				p, _ := c.named()
				if match := c.request.Header.Get("If-Match"); p != nil && len(match) > 2 && match[:2] == p.tag()[:2] {
					c.request.Header.Set("If-Match", p.tag())
				}
				c.store.Unlock()
				return do(c)
			})),
		history("if-match-late", projectAt+"/get", aboutProject+"refused-unchanged", "replaceProject answers 412 to another tag and stores the project all the same", "the tag is compared when the answer is made, after the save",
			on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				match := c.request.Header.Get("If-Match")
				c.store.Lock()
				p, _ := c.named()
				other := p != nil && match != "*" && match != p.tag() && matchPattern.MatchString(match)
				c.store.Unlock()
				if !other {
					return do(c)
				}
				c.request.Header.Set("If-Match", "*")
				if a := do(c); a.status != http.StatusOK {
					return a
				}
				return refusal(http.StatusPreconditionFailed, "somebody else has changed the project")
			})),
		condition("if-match-any-made", "put", "match-any", "replaceProject with If-Match: * makes a deleted project again", "the asterisk is taken for no condition, and the statement is an upsert",
			both(binned("deleteProject"), on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				if a.status == http.StatusNotFound && c.request.Header.Get("If-Match") == "*" {
					bin := slices.DeleteFunc(slices.Clone(c.store.bin()), func(b binnedThing) bool { return b.task != nil || whole(b.project.id).String() != c.path["projectId"] })
					c.store.Lock()
					c.store.restore(bin)
					c.store.Unlock()
					return do(c)
				}
				return a
			}))),
		condition("lost-update", "put", "if-match", "the second of two PUTs with one tag is accepted, and the first is lost", "the tag is compared before the lock is taken",
			on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				match, place := c.request.Header.Get("If-Match"), "lost "+c.path["projectId"]
				c.store.Lock()
				p, _ := c.named()
				if p != nil && c.store.memory[place] == match {
					c.request.Header.Set("If-Match", p.tag())
				} else if p != nil && match == p.tag() {
					c.store.memory[place] = match
				}
				c.store.Unlock()
				return do(c)
			})),
	}
}
