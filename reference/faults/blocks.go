package faults

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"plantstore/reference/internal/alter"
)

// blocks reads the body in blocks and stumbles over what stands across their ends.
func blocks() []Fault {
	body := func(name, breaks, doc string, f func([]byte) []byte) Fault {
		return Fault{Name: name, Breaks: breaks, Doc: doc, Rare: true, alter: alter.Body(f)}
	}
	fails := func(name, doc string, fatal func([]byte) bool) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.Looked(func(b []byte) error {
			if fatal(b) {
				return alter.Crash()
			}
			return nil
		})}
	}
	return []Fault{
		body("block-characters-replaced", echoName, "decodes each 1024 bytes of the body by themselves, so that a character across them becomes U+FFFD, as Node code that adds up chunks as strings does",
			func(b []byte) []byte { return inBlocks(b, 1024, "\ufffd") }),
		body("block-characters-lost", echoName, "loses a character across two blocks of 4096 bytes, as decoders that ignore what is left over do",
			func(b []byte) []byte { return inBlocks(b, 4096, "") }),
		body("block-of-8-kilobytes", echoName, "decodes each 8 KiB of the body by themselves",
			func(b []byte) []byte { return inBlocks(b, 8192, "\ufffd") }),
		{Name: "chunk-characters-replaced", Breaks: echoName, Rare: true, Doc: "decodes each chunk of the body by itself, as data handlers that append text do",
			alter: alter.Chunks(func(chunk []byte) []byte { return bytes.ToValidUTF8(chunk, []byte("\ufffd")) })},
		body("block-escape-refused", validAccepted, "takes an escape across two blocks of 512 bytes for the end of the text, because it looks for four digits in the block",
			func(b []byte) []byte {
				for n := 512; n < len(b); n += 512 {
					if i := bytes.LastIndexByte(b[:n], '\\'); i >= 0 && b[i+1] == 'u' && n-i < 6 {
						return b[:n]
					}
				}
				return b
			}),
		body("block-pair-replaced", echoName, "makes two U+FFFD of a surrogate pair across two blocks of 2048 bytes",
			func(b []byte) []byte {
				const n = 2048
				if len(b) > n+6 && b[n-6] == '\\' && b[n] == '\\' && bytes.EqualFold(b[n-5:n-3], []byte("ud")) {
					return slices.Concat(b[:n-6], []byte(`\ufffd\ufffd`), b[n+6:])
				}
				return b
			}),
		body("block-number-refused", validAccepted, "ends a number where a block of 256 bytes ends, as tokenizers without a look at the next block do",
			func(b []byte) []byte {
				const n = 256
				if len(b) > n && digit(b[n-1]) && digit(b[n]) && bytes.Count(b[:n], []byte(`"`))%2 == 0 {
					return slices.Concat(b[:n], []byte(" "), b[n:])
				}
				return b
			}),
		fails("exact-buffer-500", "answers 500 to a body of exactly 2048 bytes, because its buffer has no room for the closing zero", func(b []byte) bool { return len(b) == 2048 }),
		fails("beyond-buffer-500", "answers 500 to a body of 4097 bytes, because it asks for one more block than there is", func(b []byte) bool { return len(b) == 4097 }),
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// inBlocks decodes each block by itself, and puts a text in the place of each piece of
// a character that two of them share.
func inBlocks(b []byte, size int, with string) []byte {
	if !utf8.Valid(b) {
		return b
	}
	var out []byte
	for block := range slices.Chunk(b, size) {
		out = append(out, bytes.ToValidUTF8(block, []byte(with))...)
	}
	return out
}
