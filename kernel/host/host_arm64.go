//go:build gc && !purego

package host

// The variable rows lists the implementations for arm64, best first. Every arm64 CPU that Go runs on has NEON, so NEON
// is not a requirement.
var rows = []row{
	{NEON, requirements{Popcount: nil, Probe: nil, Transition: nil, Block: nil}},
	{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}},
}
