package crud

import "strconv"

// headHistoryFaults answer HEAD unlike GET.
func headHistoryFaults() []Fault {
	const op = "headProject"
	at := projectAt + "/head"
	head := func(name, breaks, doc string, change func(c *call, a *answer)) Fault {
		return history(name, at, "head-projects-projectid-head-like-get", breaks, doc, afterwards(op, change))
	}
	return []Fault{
		history("deleted-head", at, "head-projects-projectid-gone", "HEAD still finds a deleted project", "HEAD has a handler of its own", trashed("deleteProject", op)),
		head("head-tag-old", "headProject answers a changed project with the ETag that it had before", "HEAD reads the version from an index that is written later",
			func(c *call, a *answer) {
				if p, _ := c.named(); p != nil && p.version > 1 {
					old := *p
					old.version--
					a.header.Set("ETag", old.tag())
				}
			}),
		head("head-length-zero", "headProject answers with Content-Length: 0", "the framework counts the body that it does not send",
			func(_ *call, a *answer) { a.header.Set("Content-Length", "0") }),
	}
}

// toldByHead is what HEAD may say of the body that GET has.
func toldByHead(_ *call, a *answer) {
	a.header.Set("Content-Length", strconv.Itoa(len(encode(a.value))))
}
