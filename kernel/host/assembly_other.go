//go:build !gc || purego || race || (!amd64 && !arm64)

package host

// Assembly is true if the operations of this build may use assembly.
const Assembly = false
