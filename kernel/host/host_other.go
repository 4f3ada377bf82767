//go:build !gc || purego || (!amd64 && !arm64)

package host

// rows has no assembly to list in this build.
var rows = []row{{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}}}
