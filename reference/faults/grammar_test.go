package faults_test

import "strings"

// grammarProbes show the faults of the families grammar and marks.
func grammarProbes() (list []probe) {
	for _, body := range []string{
		`{"id":7301,"name":"a","more":[1,trux]}`, `{"id":7302[,"name":"a"}`, `{"id":7303,"name":"a","more":"a\u12`, `{"id":7304,"name":"a","more":"a\uD83D\u"}`,
		`{"id":7305,"name":"a","{}":1}`, `{'id':7306,"name":"a"}`,
	} {
		list = append(list, plain(body))
	}
	for _, name := range []string{":cactus: a", "a (tm)", "a :-)", "# a", "a\U000E0100", "'", "a\u2069", "a\U00010A0F", "a\U0004FFFE"} {
		list = append(list, plain(`{"id":7306,"name":"`+name+`"}`))
	}
	return list
}

// insideProbes show the faults of the family inside.
func insideProbes() (list []probe) {
	for range 12 {
		list = append(list, plain(`{"id":7401}`))
	}
	for _, body := range []string{
		`{"id":7402,"name":"a"}`, `{"id":7403,"more":{"name":"a"}}`, `{"id":7404,"name":"a: 12345678901234567890"}`,
		`{"id":7405,"name":"a","__proto__":{"tag":"b"}}`, `{"id":7406,"name":"a"}`,
		`{"id":7412,"__proto__":{"name":"a"}}`, `{"id":7410,"name":"again"}`, `{"id":7410,"name":"again","tag":5}`,
		`{"id":7408,"name":"a","tag":"b|c"}`, `{"id":7409,"name":"a|b","tag":"c"}`,
	} {
		list = append(list, plain(body))
	}
	return append(list, probe{body: `{"id":7410,"name":"again"}`}, with(`{"id":7411}`, "Accept-Encoding", "gzip"),
		with(`{"id":7407,"name":"`+strings.Repeat("n", 1200)+`"}`, "Accept-Encoding", "gzip"))
}
