//go:build !gc || purego || (!amd64 && !arm64)

package host

// This build has no assembly. So the list "rows" contains only the implementation Portable.
var rows = []row{{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}}}
