package mutate

// texts are the keywords about strings, format aside.
func texts() []Keyword {
	return []Keyword{
		{Name: "pattern", Dialects: bothVersions(), Schema: member(`{"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"}`), Lifted: at("pattern"),
			Valid:   by("baseline sample", "random strings that match"),
			Invalid: by("nearly", "a matching string with a space, a line break or a sign before, after or inside it; cut, doubled, reversed, in another case, script or width")},
		{Name: "minLength", Dialects: bothVersions(), Schema: member(`{"type": "string", "minLength": 8}`), Lifted: at("minLength"),
			Valid:   by("bound-length bound-length-astral", "the minimum length and one more, in characters of one byte and of four; every longer length"),
			Invalid: by("too-short", "one character too few, half of the length, none: counted in characters, not in bytes")},
		{Name: "maxLength", Dialects: bothVersions(), Schema: member(`{"type": "string", "maxLength": 20}`), Lifted: at("maxLength"),
			Valid:   by("bound-length bound-length-astral length", "every length up to the bound, in characters of one to four bytes"),
			Invalid: by("too-long", "one and two characters too many, twice the length, a thousand more")},
	}
}
