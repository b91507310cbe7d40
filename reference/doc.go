// Package reference is the plant store done right: the one server that keeps
// the contract of spec/openapi.yaml to the byte.
//
// A POST /plants passes through the stages of [Stages], in this order:
//
//	Authenticate -> Media -> Read -> Decode -> Append -> Answer -> Send
//	        any refusal on the way: Refuse -> Send
//
// The contract documents 200 and 400 only, so every refusal of that operation
// is HTTP 400 with an Error; its number says why ([Kind.Code]). The catalogues
// beside this package, faults and variants, replace single stages and leave
// the others as they are.
package reference
