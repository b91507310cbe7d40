package faults_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const secret = "plant-Token-12345"

// probe is one request.
type probe struct {
	body    string
	auth    []string
	header  http.Header
	query   string
	address string // instead of /plants
	chunked bool
	last    bool // the connection is closed behind it
}

func plain(body string) probe { return probe{body: body, auth: []string{"Bearer " + secret}} }

func with(body, name, value string) probe {
	p := plain(body)
	p.header = http.Header{name: {value}}
	return p
}

func credential(values ...string) probe {
	return probe{body: `{"id":77,"name":"thyme","tag":"nobody"}`, auth: values}
}

// probes are enough requests to show every fault that does not need two
// requests at once.
func probes() (list []probe) {
	id := 1000
	bodies := func(texts ...string) {
		for _, t := range texts {
			list = append(list, plain(t))
		}
	}
	names := func(texts ...string) {
		for _, t := range texts {
			id++
			bodies(fmt.Sprintf(`{"id":%d,"name":%s}`, id, t))
		}
	}
	ids := func(texts ...string) {
		for _, t := range texts {
			id++
			bodies(fmt.Sprintf(`{"id":%s,"name":"id%d"}`, t, id))
		}
	}
	tags := func(texts ...string) {
		for _, t := range texts {
			id++
			bodies(fmt.Sprintf(`{"id":%d,"name":"tag%d","tag":%s}`, id, id, t))
		}
	}
	bare := func(values ...string) probe { return probe{body: `{"id":77,"name":"thyme"}`, auth: values} }
	// Before anything is accepted, so that nothing can be kept yet.
	list = append(list, bare(), credential("Bearer early"), credential("Bearer "+strings.Repeat("y", len(secret))))
	bodies(`{"name":"lost"}`, `{"id":9,"name":"opener"}`)
	list = append(list, bare(), probe{body: "{}", auth: []string{"Bearer " + secret}, last: true}, bare())
	bodies(`{"name":"lost"}`, `{"id":5}`, `{"id":10,"name":"first"}`, `{"id":266,"name":"other"}`, `{"id":11,"name":"again"}`, ``, `{"id":11,"name":"again"}`,
		`{"name":"lost"}`, `{"id":12}`, `{"ID":13,"name":"ann"}`, `{"id":14,"Name":"ann"}`, `{"_id":15,"name":"ann"}`, `{}`, `{"tag":"t","name":"n"}`, `{"id":1,"tag":"t"}`,
		`{"id":null,"name":"n"}`, `{"id":16,"name":"ann","tag":5}`, `{"id":17,"name":"ben"}`, `{"id":18,"name":"ann","tag":"x"}`, `{"id":19,"name":"ben"}`,
		`{"id":"x","name":"cut","tag":"leak"}`, `{"id":20,"name":"cyd"}`)
	ids("1", "0", "-0", "-7", "2147483647", "2147483648", "4294967295", "4294967296", "4294968000", "9999999999", "10000000000", "1000000000000000000", "9007199254740991", "9007199254740992", "9007199254740993",
		"9223372036854775806", "9223372036854775807", "9223372036854775808", "9999999999999999999", "18446744073709551615", "18446744073709551617", "99999999999999999999", "36893488147419103233",
		"-9223372036854775809", "1e19", "1e400", `"5"`, `"abc"`, `""`, `" 5"`, `"0x1F"`, `"5.0"`, "true", "false", "1.5", "0.5", "5.0000001", "15e-1", "[5]", "[]", "{}", `{"a":1}`, "1.0", "1e2",
		strings.Repeat("9", 400), "1e1000000000", "[1,2]", `["5"]`)
	names("5", "1.5", "0", "true", "false", "null", `["a"]`, `[]`, `{}`, `{"a":"b"}`, `"a"`, `"ab"`, `"Rose"`, `"five and twenty letters x"`, `"`+strings.Repeat("n", 51)+`"`,
		`"`+strings.Repeat("n", 64)+`"`, `"`+strings.Repeat("é", 40)+`"`, `"`+strings.Repeat("n", 65)+`"`, `"`+strings.Repeat("🌱", 40)+`"`, `"`+strings.Repeat("n", 256)+`"`, `"é"`, `"Ω"`, `"树"`, `"🌱"`,
		`"a.b"`, `"123"`, `"1.0"`, `"1e3"`, `"it's"`, `"a\"b"`, `"<b>"`, `"a<b"`, `"a\\b"`, `"ends\\"`, `"a/b"`, `"100%"`, `"%41+"`, `"%s"`, `"e\u0301"`, `"\ufb01"`, `"\u05d0"`, `"null"`, `"true"`, `"undefined"`,
		`"__proto__"`, `"constructor"`, `"a  b"`, `"&amp;"`, `"$&"`, `"2024-01-31"`, `"${x}"`, `"$HOME"`, `"a,b"`, `"--"`, `"\ud83c\udf31"`, `"a\u0000b"`, `"\u0001"`, `""`, `" "`, `"\ud800"`, `"\u00E9"`, `"\u00e9"`, `"\/"`,
		`"Ab"`, `"0"`, `"\u0910\u093f"`, `"→"`)
	bodies(`{"tag":"first","name":"order","id":901}`, `{"id":902,"name":"escaped","t\u0061g":"sage"}`, `{"id":0,"name":"zero","tag":"sage"}`)
	tags(`"x"`, `""`, `"Long Tag, with é"`, `"A<b>"`, `"a,b"`, `"5"`, "5", "1.5", "0", "true", "false", "null", `["x"]`, "[]", "{}", "12345678901234567890", `"é"`, `"e"`, `"two words"`, `"ABC"`, `"@x"`, `"a/"`)
	bodies("null", "false", "0", "5", `""`, "true", `"x"`, `"{\"id\":1,\"name\":\"a\"}"`, `[{"id":1,"name":"a"}]`, `[{"id":1,"name":"a"},{"id":2,"name":"b"}]`, "[]", `[1,"a"]`, `{"plant":{"id":1,"name":"a"}}`,
		" ", "\n", "hello", "<xml/>", "{", "}", `{"id":21,"name":"a",}`, `{,"id":22,"name":"a"}`, `{"id":23,,"name":"a"}`, `{"id":24 "name":"a"}`, `{"id":25;"name":"a"}`, `{"id"=26,"name":"a"}`, `{"id" 27,"name":"a"}`,
		"{\"id\":28,\"name\":\"a\"//x\n}", `{"id":29,/**/"name":"a"}`, "{\"id\":30,\"name\":\"a\"}#x", `{'id':31,'name':'a'}`, `{id:32,name:"a"}`, `{"id":33,"name":fern}`, `{"id":NaN,"name":"a"}`, `{"id":0x1F,"name":"a"}`, `{"id":007,"name":"a"}`,
		`{"id":+5,"name":"a"}`, `{"id":5.,"name":"a"}`, `{"id":1_000,"name":"a"}`, `{"id":12abc,"name":"a"}`, `{"id":1e,"name":"a"}`, "{\"id\":34,\"name\":\"a\nb\"}", "{\"id\":35,\"name\":\"a\tb\"}", `{"id":36,"name":"\q"}`, `{"id":37,"name":"\x41"}`,
		"{\"id\":38,\"name\":\"a\\\nb\"}", `{"id":39,"name":"a"`, `{"id":40,"name":"a`, `{"id":41,"name":"a"]`, "\f{\"id\":42,\"name\":\"a\"}", "\u00a0{\"id\":43,\"name\":\"a\"}", `{"id":44,"name":"a"}x`, `{"id":45,"name":"a"}{"id":46,"name":"b"}`,
		`{"id":47,"name":"a"}}`, `{"id":48,"name":"a"},`, `{"id":49,"name":"a"};`, "{\"id\":50,\"name\":\"a\"}\x00x", `{"id":50,"name":"a"}`+strings.Repeat(" ", 600)+"x", `x={"id":51,"name":"a"}`, `({"id":52,"name":"a"})`, `{"id":53,"name":"a","name":"b"}`, "{\"id\":54,\"name\":\"\xff\"}", "\ufeff{\"id\":55,\"name\":\"a\"}",
		`{"name":"a","id":56}`, `{"tag":"t","name":"a","id":57}`, "{\n\"id\":58,\"name\":\"a\"}", "{\r\"id\":59,\"name\":\"a\"}", "{\t\"id\":60,\"name\":\"a\"}", ` {"id":61,"name":"a"}`, `{"id":62,"name":"a"} `, `{"id" :63,"name":"a"}`, `{"\u0069d":64,"name":"a"}`,
		`{"id":65,"name":"a","more":1}`, `{"id":66,"name":"a","more":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+"}", `{"id":67,"more":`+strings.Repeat("[", 60000), `{"id":68,"name":"a","more":"`+strings.Repeat("x", 70<<10)+`"}`,
		`{"id":69,"name":"a","more":"`+strings.Repeat("x", 110<<10)+`"}`, `{"id":70,"name":"a","more":"`+strings.Repeat("x", 1<<20)+`"}`, `{"id":71,"name":"a","more":"`+strings.Repeat("x", 5000)+`"}`)
	list = append(list,
		credential(), credential(""), credential("Bearer"), credential("Bearer "), credential(secret), credential("Basic "+secret), credential("Token "+secret), credential("Foo "+secret), credential("Bearer"+secret), credential("Bearer:"+secret), credential("Bearerx "+secret), credential("XBearer "+secret),
		credential("Bearer x "+secret), credential("Bearer wrong"), credential("Bearer wrong"), plain(`{"name":"植物"}`), credential("Bearer null"), credential("Bearer constructor"), credential("Bearer p"), credential("Bearer "+secret[:8]), credential("Bearer "+secret[:len(secret)-1]), credential("Bearer "+secret+"x"), credential("Bearer x"+secret), credential("Bearer "+secret[3:7]), credential("Bearer "+strings.ToUpper(secret)),
		credential("Bearer "+secret[:8]+"xxxxxxxxx"), credential("Bearer "+strings.Repeat("x", len(secret)-4)+secret[len(secret)-4:]), credential("Bearer "+strings.Repeat("x", len(secret))), credential("Bearer "+secret[1:]+secret[:1]), credential("Bearer "+secret[:1]+strings.Repeat("x", len(secret)-2)+secret[len(secret)-1:]),
		credential("Bearer a,"+secret+",b"), credential(`Bearer "`+secret+`"`), credential("Bearer %70lant-Token-12345"), credential("Bearer %"), credential("Bearer é"), credential("Bearer "+strings.Repeat("x", 2000)), credential("Bearer "+strings.Repeat("x", 5000)), credential("Bearer a(b"))
	bodies(`{"id":72,"name":"valid"}`, `{"plantId":88,"name":"a"}`, `{"id":89,"title":"a"}`, `{"id":{"$numberLong":"90"},"name":"a"}`, `{"id":{"$numberLong":91},"name":"a"}`, `{"id":"9007199254740993","name":"a"}`,
		"\u3000{\"id\":92,\"name\":\"a\"}", `{"id":4294967399,"name":"a","tag":"far"}`, `{"id":93,"name":"same","tag":"same"}`, `{"id":94,"name":"\u0640\u0628"}`, `{"id":95,"name":"\u00b5m"}`, `{"id":96,"name":"a\u301cb"}`)
	for _, alike := range []string{"pmB", "pm@", "qka", "qma"} { // the hash of Java, that of Bernstein, the sum, the xor
		list = append(list, credential("Bearer "+alike+secret[3:]))
	}
	digest := sha256.Sum256([]byte(secret))
	list = append(list, credential("Bearer "+strings.Repeat("x", len(secret)/2)+secret[len(secret)/2:]), credential("Bearer "+secret[:len(secret)-1]+"."),
		credential("Bearer "+secret[:len(secret)-1]+"?"), credential("Bearer "+hex.EncodeToString(digest[:])))
	list = append(list, credential("Bearer "+secret[:len(secret)-1]+"6"), credential("Bearer "+secret+"/x"), credential("bearer wrong"),
		credential("Basic "+base64.StdEncoding.EncodeToString([]byte("user:"+secret))),
		probe{body: `{"id":97,"name":"a"}`, header: http.Header{"X-Forwarded-For": {"127.0.0.1"}}}, probe{body: `{"id":98,"name":"a"}`, header: http.Header{"Cookie": {"x"}}}, probe{body: `{"id":98,"name":"a"}`, header: http.Header{"Accept-Language": {"en_US"}}}, probe{body: `{"id":98,"name":"a"}`, header: http.Header{"Accept": {"text/html"}}},
		probe{body: `{"id":99,"name":"a"}`, chunked: true})
	list = append(list, bare())
	for i := range 20 {
		list = append(list, credential(), credential(fmt.Sprintf("Bearer wrong%d", i)))
	}
	list = append(list, credential(), plain(`{"id":80,"name":"zoe"}`),
		with(`{"id":81,"name":"a"}`, "Content-Type", ""), with(`{"id":82,"name":"a"}`, "Content-Type", "text/plain"), with(`{"id":83,"name":"a"}`, "Content-Type", "application/json; charset=klingon"),
		with(`{"id":84,"name":"a"}`, "Accept", "text/html"), with(`{"id":85,"name":"a"}`, "X-Long", strings.Repeat("x", 3000)), with(`{"id":86,"name":"a"}`, "Expect", "100-continue"),
		probe{body: `{"id":87,"name":"a"}`, auth: []string{"Bearer " + secret}, chunked: true})
	list = append(list, with(`{"id":101,"name":true}`, "Content-Type", "application/json; charset=utf-8"), with(`{"id":102}`, "Accept", "*/*"),
		probe{body: `{"name":"a"}`, auth: []string{"Bearer " + secret}, query: "id=103"}, probe{body: `{"id":104,"name":"a"}`, query: "x=1"},
		probe{body: `{"id":105,"name":"a"}`, header: http.Header{"X-Remote-User": {"admin"}}}, probe{body: `{"id":105,"name":"a"}`, address: "/%70lants"})
	for _, address := range []string{"/plants/", "//plants", "/PLANTS", "/plants;x"} {
		list = append(list, probe{body: `{"id":105,"name":"a"}`, address: address})
	}
	bodies(`{"id":106,"name":5,"__proto__":{}}`, `{"id":107,"name":12345678901234567890}`, `{"id":108,"name":[82,111]}`, `{"id":109,"name":"a","more":{"name":"b"}}`,
		`{"id":110,"name":"`+strings.Repeat("🌱", 64)+`"}`, `{"id":25000000000000000000,"name":"a"}`, `{"id":9.223372036854775808e18,"name":"a"}`, `{"id":1e-17,"name":"a"}`,
		`{"id":111,"name":5}`, `{"id":111,"name":"a"}`, `{"id":99999999999999999999,"name":"a"}`, `{"id":112,"name":"a"}`, `{"id":113,"name":"a","tag":"\ud83d"}`,
		`{"id":114,"name":"a","note":"\u0000"}`, `{"id":115,"name":"a","self":1}`, `{"id":4,"name":5}`)
	for i := range 60 {
		bodies(fmt.Sprintf(`{"id":%d,"name":"row%d"}`, 5000+i, i))
		if i%4 == 0 {
			bodies(fmt.Sprintf(`{"id":%d}`, 6000+i))
		}
	}
	list = append(list, with(`{"id":111,"name":"a"}`, "Expect", "x"), with(`{"id":112,"name":"a"}`, "Upgrade", "h2c"),
		probe{body: `{"id":113,"name":"a"}`, query: "access_token=x"}, probe{}, plain(`{"id":114,"name":"a","tag":"b","more":1}`))
	bodies(`{"id":117,"name":null`+strings.Repeat(" ", 250)+"}", `{"id":118,"name":"a","b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1}`)
	return slices.Concat(list, headProbes(), blockProbes(), crossingProbes(), sizeProbes(), grammarProbes(), insideProbes())
}
