//go:build slow

package sample

const all = true
