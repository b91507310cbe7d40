package mutate

// lookAlikes are strings that look like other values. They are tried as they
// are: a fresh word would take the form away.
var lookAlikes = []textGroup{
	{"like-integer", []string{"0", "1", "-1", "7", "123", "2147483648", "9223372036854775808", "123456789012345678901234567890"}},
	{"like-fraction", []string{"1.0", "1.5", "0.1", ".5", "5.", "-0.0", "3.14"}},
	{"like-exponent", []string{"1e5", "1E5", "12e3", "1e400", "1e-7"}},
	{"like-hex", []string{"0x1F", "0b101", "0o17", "DEADBEEF", "deadbeef", "1F"}},
	{"like-padded", []string{"007", "+5", "1,000", "1_000", "00", "-01"}},
	{"like-not-a-number", []string{"NaN", "Infinity", "-Infinity", "inf", "nan"}},
	{"like-boolean", []string{"true", "false", "True", "False", "TRUE", "yes", "no", "Yes", "No", "on", "off", "y", "n", "t", "f"}},
	{"like-null", []string{"null", "Null", "NULL", "nil", "None", "undefined", "void", "NA", "N/A", "n/a", "(null)", "<null>", "<nil>", "~", "-"}},
	{"like-container", []string{"[]", "{}", "[1]", `{"a":1}`, "[object Object]", "Object", "Array"}},
	{"like-quoted", []string{`"quoted"`, `""`, `''`, `"1"`, `\"`, `"null"`}},
	{"like-date", []string{"2024-02-30", "2024-01-01", "2024-01-01T00:00:00Z", "01/02/2024", "20240101", "12:30", "1.1.2024", "2024-W01", "MARCH1", "Jan 1 2024"}},
	{"like-address", []string{"127.0.0.1", "::1", "http://a.example/", "a@b.example", "www.a.example", "mailto:a@b.example"}},
	{"like-uuid", []string{"123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000", "507f1f77bcf86cd799439011"}},
	{"like-base64", []string{"YWxvZQ==", "data:text/plain,x", "=?utf-8?q?x?=", "aGk="}},
	{"like-money", []string{"$1", "1%", "10 kg", "5'", "12\"", "1st", "1/2"}},
}

// words are strings that some language, store or system keeps for itself.
var words = []textGroup{
	{"word-javascript", []string{"__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "length", "this", "function", "__defineGetter__", "then"}},
	{"word-python", []string{"__class__", "__init__", "self", "lambda", "__dict__"}},
	{"word-java", []string{"class", "java.lang.String", "@type", "getClass", "enum"}},
	{"word-schema", []string{"id", "name", "type", "tag", "$ref", "$id", "$type", "_id", "error", "message", "data", "value", "key", "object", "string"}},
	{"word-sql", []string{"select", "SELECT", "table", "user", "order", "default", "primary", "where", "like"}},
	{"word-system", []string{"con", "CON", "aux", "nul", "prn", "com1", "lpt1", ".", "..", "/", "*"}},
	{"word-account", []string{"admin", "root", "guest", "test", "anonymous", "system", "public"}},
	{"word-common", []string{"a", "A", "new", "old", "Rose", "rose", "ROSE"}},
}
