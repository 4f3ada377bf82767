//go:build gc && !purego

package host

// The variable "rows" lists the implementations for arm64, the best one first. Every arm64 CPU on which Go runs has
// NEON, so no feature needs to be listed.
var rows = []row{
	{NEON, requirements{Popcount: nil, Probe: nil, Transition: nil, Block: nil}},
	{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}},
}
