// Package services holds small servers of the documents in testdata/openapi and in
// its own testdata, for tests of the suite: right ones, and the same with one thing
// wrong. Each document of its own testdata needs another way of reaching.
package services

import "plantstore/reference/kit"

// Key is the credential that Orders and Desk accept.
const Key = "desk-key-0123456789abcdef"

// value is a raw JSON value; nil is none.
type value = kit.Value
