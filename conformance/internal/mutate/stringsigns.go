package mutate

// signs are texts with characters that mean something somewhere.
var signs = []textGroup{
	{"single-quotes", []string{"O'Brien §", "'§'", "it''s §", "§'"}},
	{"double-quotes", []string{`say "aloe" §`, `"§"`, `""§""`, `§"`}},
	{"both-quotes", []string{`'a' "b" §`, `"'§'"`, `\"§\"`}},
	{"backtick", []string{"`§`", "a`b §", "```§"}},
	{"typographic-quotes", []string{"“§”", "‘§’", "«§»", "„§“ ‚x‘", "Patty’s §"}},
	{"backslash", []string{`a\b §`, `\§`, `§\`, `\\§\\`, `\n\t\0 §`, `\u0041 §`}},
	{"slash", []string{"a/b §", "/§", "§/", "//§//", "</§"}},
	{"ampersand", []string{"salt & sun §", "&§", "a&b=c §", "&amp; §", "&lt;§&gt;", "&#65;&#x41; §", "&nbsp;§"}},
	{"angle-brackets", []string{"<§>", "a < b > c §", "<<§>>", "->§<-"}},
	{"percent", []string{"100% §", "%20§", "a%2Fb §", "%25 §", "%zz §", "%00§", "%s %d %n §", "§%"}},
	{"plus", []string{"a+b §", "+§", "C++ §", "§+", "a +b §"}},
	{"equals-semicolon", []string{"a=b;c=d §", ";§", "=§", "§;"}},
	{"comma-colon", []string{"a,b,c §", ",§,", "a:b §", ":§", "{a:b} §"}},
	{"brackets", []string{"[§]", "{§}", "(§)", "}{ §", "][ §", "${§}"}},
	{"hash-at", []string{"#§", "@§", "a@b.example §", "#1 §", "~§", "^§^"}},
	{"dots-dashes", []string{".§", "..§", "§...", "-§", "--§", "_§_", "§-"}},
	{"pipes", []string{"a|b §", "||§", "!§!", "?§", "§?"}},
	{"stars", []string{"*§*", "§*", "**§**", "**/§", "?*§"}},
	{"punctuation", []string{"!\"#$%&'()*+,-./ §", ":;<=>?@[\\]^_`{|}~ §", "§!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}},
	{"unicode-punctuation", []string{"– — § …", "¿§?", "、。「§」", "· • § ‰", "‽ ⁂ §", "§؟ ،"}},
	{"symbols", []string{"© ® ™ §", "€ £ ¥ §", "± × ÷ §", "← → ⇒ §", "∑ ∞ √ §", "░▒▓ §", "♀♂ §", "№ § °"}},
	{"digits", []string{"0 1 2 §", "٣٤٥ §", "१२३ §", "１２３ §", "§ 007"}},
}

// injections are texts that harm code which pastes them into another language.
var injections = []textGroup{
	{"markup", []string{"<b>§</b>", "<script>alert(1)</script>§", "<img src=x onerror=alert(1)> §", "]]>§", "<![CDATA[§]]>", "<!-- § -->", "<?xml?> §", "<br/>§"}},
	{"sql", []string{"'; DROP TABLE t; -- §", "' OR '1'='1 §", `\' OR 1=1 -- §`, "§'--", "§;--", "1; SELECT 1 §", "§ /* x */", "x' || 'y §", "§ LIKE '%_'"}},
	{"shell", []string{"$HOME §", "`id` §", "$(id) §", "; id § &", "| id §", "&& id §", "> /dev/null §", "!! §", "~ $PATH §"}},
	{"template", []string{"{{7*7}} §", "${7*7} §", "#{7*7} §", "<%= 7*7 %> §", "{% x %} §", "{0} §", "%{x} §", "@(1+1) §", "[[§]]"}},
	{"log-lookup", []string{"${jndi:x} §", "${env:HOME} §", "%(name)s §", "{name!r} §"}},
	{"path", []string{"../../§", "..\\..\\§", "/etc/§", "C:\\§", "file:///§", "./§", "§.txt", "a/./b/§", "%2e%2e/§"}},
	{"formula", []string{"=1+1 §", "+1+1 §", "-1+1 §", "@SUM(1) §", "a,b;c §", "=cmd| §", "\"a\",\"§\""}},
	{"json-inside", []string{`{"a":"§"}`, `["§"]`, `","x":"§`, `"},{"§`, `\"§`, `\u0022§`, "//§", "/*§*/"}},
	{"number-inside-json", []string{`§ "id": 9007199254740993,`, `[12345678901234567890]§`, `§ {"a":1e400}`}},
	{"json-to-repair", []string{"§,}", "[§, ]", "{§: NaN,}", "{§: None}"}},
	{"pattern", []string{".*§", "^§$", "(§|x)", "[a-z]+§", "\\d+§", "§{2,}", "(?i)§", "(§"}},
	{"substitution", []string{"$& §", "$1 §", "$$ §", "$` §", `\0 \1 §`}},
	{"mongo", []string{"$gt §", "$§", "{\"$ne\":\"§\"}", "a.b.§", "$where §"}},
	{"header", []string{"a: b §", "Set-Cookie: §", "HTTP/1.1 200 OK §"}},
}
