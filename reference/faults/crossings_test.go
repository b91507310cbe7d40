package faults_test

import "net/http"

// crossingProbes show the faults of the family crossings.
func crossingProbes() []probe {
	wrong := []string{"Bearer x" + secret}
	return []probe{
		{body: "[]", auth: wrong, last: true},
		{body: "[]", auth: []string{"Basic " + secret}, chunked: true, last: true},
		plain(`{"id":117,"name":"a\"b","tag":"é"}`),
		plain(`{"id":9007199254740999,"name":"a\\b"}`),
		plain(`{"id":119,"name":"twin","tag":"one"}`), plain(`{"id":120,"name":" Twin","tag":"two"}`),
		{body: `{"id":118,"name":"a"}`, header: http.Header{"User-Agent": {"kube-probe/1.29"}}},
		{body: `{"id":121,"name":"a"}`, header: http.Header{"Sec-Websocket-Protocol": {"x"}}},
	}
}
