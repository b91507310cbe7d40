package crud

// projectSchema is the schema Project.
func projectSchema() object {
	members := sharedMembers()
	for name, judge := range map[string]check{
		"id":        readOnly(bounds{integer: true, long: true, min: "1"}.is),
		"createdAt": readOnly(text{format: "date-time"}.is),
		"code":      text{pattern: codePattern}.is,
		"team":      bounds{integer: true, above: "0", max: "500"}.is,
		"progress":  bounds{integer: true, min: "0", max: "100", step: "5"}.is,
		"starts":    text{format: "date"}.is,
		"milestones": list{min: 1, max: 5, items: object{required: []string{"title"}, closed: true, members: map[string]check{
			"title": text{min: 1, max: 40}.is,
			"due":   text{format: "date-time"}.is,
			"done":  boolean,
		}}.is}.is,
		"contact": object{closed: true, members: map[string]check{
			"email":   text{format: "email", max: 120}.is,
			"website": text{format: "uri", max: 200}.is,
		}}.is,
		"secret": text{min: 8, max: 40}.is,
	} {
		members[name] = judge
	}
	return object{required: []string{"name", "code", "budget"}, closed: true, members: members}
}

// projectPatch is the schema ProjectPatch.
func projectPatch() object { return object{closed: true, min: 1, members: sharedMembers()} }

// sharedMembers are in both schemas.
func sharedMembers() map[string]check {
	return map[string]check{
		"name":        text{min: 1, max: 80}.is,
		"status":      text{enum: []string{"draft", "active", "closed"}}.is,
		"budget":      bounds{min: "0", below: "1000000", step: "0.01"}.is,
		"ends":        nullable(text{format: "date"}.is),
		"description": nullable(text{max: 200}.is),
		"archived":    boolean,
		"tags":        list{max: 8, unique: true, items: text{pattern: tagPattern}.is}.is,
	}
}
