//go:build !gc || purego || (!amd64 && !arm64)

package host

// The variable "rows" has only Portable, because this build has no assembly.
var rows = []row{{Portable, requirements{Popcount: nil, Probe: nil, Transition: nil, Hash: nil, Block: nil}}}
