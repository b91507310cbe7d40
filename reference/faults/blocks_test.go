package faults_test

import (
	"fmt"
	"strings"
)

// blockProbes show the faults of the family blocks.
func blockProbes() (list []probe) {
	padded := func(size int, body string) string { return strings.Repeat(" ", max(0, size-len(body))) + body }
	// until puts the end of a buffer behind the given text.
	until := func(size int, before, behind string) string { return padded(size, before) + behind }
	for _, body := range []string{
		until(1024, `{"id":7101,"name":"a`+"\xe6", "\xa4\x8d\"}"),
		until(4096, `{"id":7102,"name":"a`+"\xe6", "\xa4\x8d\"}"),
		until(8192, `{"id":7103,"name":"a`+"\xe6", "\xa4\x8d\"}"),
		until(512, `{"id":7104,"name":"\u6`, `90d"}`),
		until(2048, `{"id":7105,"name":"\ud83c`, `\udf31"}`),
		until(256, `{"id":71`, `06,"name":"a"}`),
		padded(2048, `{"id":7107,"name":"a"}`),
		padded(4097, `{"id":7108,"name":"a"}`),
	} {
		list = append(list, plain(body))
	}
	return list
}

// splitChunks is a plant in two chunks, of which the first ends inside a character, as
// no client of net/http sends it.
func splitChunks() string {
	first, second := "{\"id\":7109,\"name\":\"a\xe6", "\xa4\x8d\"}"
	return fmt.Sprintf("POST /plants HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"+
		"%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", secret, len(first), first, len(second), second)
}
