//go:build gc && !purego

package host

// rows lists best first. NEON is part of every arm64 that Go runs on, so it is not
// asked for.
var rows = []row{
	{NEON, requirements{Popcount: nil, Probe: nil, Transition: nil, Block: nil}},
	{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}},
}
