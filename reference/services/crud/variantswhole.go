package crud

import "reflect"

// replacements are about what a PUT makes of a project.
func replacements() []Variant {
	return []Variant{
		{Name: "put-keeps-rest", Doc: "PUT leaves optional members that it does not name; the wider document says so", Wider: true,
			around: instead("replaceProject", func(was, is, _ map[string]any) map[string]any { return with(was, is) })},
		{Name: "starts-fixed", Doc: "the start of a project stays as it was made, and PUT answers with it: a server may transform what it cannot change (RFC 9110, 9.3.4)",
			around: replacing(func(was, is map[string]any) map[string]any {
				if was["starts"] == nil {
					return with(is, nil, "starts")
				}
				return with(is, map[string]any{"starts": was["starts"]})
			})},
		{Name: "progress-computed", Doc: "the progress of a project is what the server computes of its milestones, whatever PUT gives, and PUT answers with it",
			around: replacing(func(_, is map[string]any) map[string]any {
				list, _ := is["milestones"].([]any)
				return with(is, map[string]any{"progress": whole(int64(5 * len(list)))})
			})},
		{Name: "put-same-version", Doc: "a PUT that changes nothing makes no new version, and the entity tag stays",
			around: on("replaceProject", func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				var was project
				if p, _ := c.named(); p != nil {
					was = *p
				}
				c.store.Unlock()
				a := do(c)
				c.store.Lock()
				defer c.store.Unlock()
				if p, _ := c.named(); p != nil && a.status < 300 && reflect.DeepEqual(p.members, was.members) {
					p.version = was.version
					a.header.Set("ETag", p.tag())
				}
				return a
			})},
		{Name: "put-fills-in", Doc: "PUT gives values of its own to the team and the description if they are left out",
			around: replacing(func(_, is map[string]any) map[string]any {
				return with(map[string]any{"team": whole(400), "description": "no description"}, is)
			})},
	}
}
