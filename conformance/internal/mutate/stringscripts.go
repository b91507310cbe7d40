package mutate

// scripts are texts of the writing systems that names are written in.
var scripts = []textGroup{
	{"ascii", []string{"Rosa-§", "rose §", "Rosa canina var. §", "§ (Monstera)"}},
	{"inner-blanks", []string{"Aloe vera §", "a  b §", "a   b    c §", "§ x y z"}},
	{"latin1", []string{"Königskerze §", "Échinacée §", "Piñón ¡§!", "Æblerød åø §", "§ ÿþß"}},
	{"latin-extended", []string{"Žluťoučký §", "Łąka źdźbło §", "ığdır şğ §", "Cải bắp ếộ §", "ſ ƀ ǆ §"}},
	{"greek", []string{"Δάφνη §", "ελιά §", "ὦ ᾠ §", "§ Ωμέγας"}},
	{"cyrillic", []string{"Ромашка §", "їжак ґанок §", "Ѣ ѳ §", "§ ЁЛКА"}},
	{"armenian-georgian", []string{"Վարդ §", "ვარდი §", "Ꮳꮃꭹ §"}},
	{"cjk", []string{"植物 §", "仙人掌§", "龍舌蘭 §", "§ 薔薇"}},
	{"kana", []string{"サボテン §", "ひまわり §", "ｻﾎﾞﾃﾝ §", "が ぱ §"}},
	{"hangul", []string{"선인장 §", "해바라기 §", "가각 §"}},
	{"thai", []string{"กุหลาบ §", "ดอกไม้ §", "น้ำ §"}},
	{"devanagari", []string{"गुलाब §", "हिन्दी क्ष §", "नीम §"}},
	{"indic", []string{"রোজ গোলাপ §", "ரோஜா §", "గులాబీ §", "ഓർക്കിഡ് §"}},
	{"arabic", []string{"وردة §", "صبار ١٢٣ §", "گل سرخ §", "§ زهرة"}},
	{"hebrew", []string{"ורד §", "שָׁלוֹם §", "§ פרח"}},
	{"ethiopic-khmer", []string{"ጽጌረዳ §", "ផ្កា §", "ပန်း §"}},
	{"decomposed", []string{"cafe\u0301 §", "A\u030Angstro\u0308m §", "e\u0323\u0302 §", "\u1112\u1161\u11AB §"}},
	{"composed", []string{"caf\u00E9 §", "\u00C5ngstr\u00F6m §", "\u1EC7 §", "\uD55C §"}},
	{"compatibility", []string{"\uFB01cus §", "\u212Bngstrom §", "\u2126 \u212A §", "ＦＵＬＬ §", "x² ½ Ⅳ ① §"}},
	{"many-marks", []string{"Z\u0351\u036B\u0343a\u0310\u0312 §", "o\u0308\u0304\u0301 §", "§ e\u20DD"}},
	{"emoji", []string{"🌱 §", "🌵🌷🌻 §", "§🍀", "❤ ☀ §"}},
	{"emoji-skin-tone", []string{"👍🏽 §", "👩🏿🌾 §", "§ 🤚🏻"}},
	{"emoji-variation", []string{"a❤\uFE0F §", "a☀\uFE0F §", "🇩🇪 §"}},
	{"astral-cjk", []string{"𠮷野 §", "𠀀𠀁 §", "§ 𪚥"}},
	{"astral-letters", []string{"𝒜𝓁𝑜𝑒 §", "𝟘𝟙𝟚 §", "𐐷𐐨 §", "𓆸 §"}},
	{"mixed-scripts", []string{"a植я🌱 §", "Роса rosa §", "abc עברית §", "éЖ中한ก §"}},
}

// letterCases are texts whose case code changes or loses.
var letterCases = []textGroup{
	{"upper-case", []string{"ROSA §", "ÉÀÜ §"}},
	{"lower-case", []string{"rosa §", "éàü §"}},
	{"title-case", []string{"Rosa Canina §", "McIntosh §"}},
	{"odd-case", []string{"rOsA §", "İ ı §", "Straße ẞ §", "ΣΑΣ σας §", "ǅ §", "ŉ §"}},
}
