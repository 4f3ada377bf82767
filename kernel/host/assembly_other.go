//go:build !gc || purego || race || (!amd64 && !arm64)

package host

// Assembly says whether this build's operations may choose assembly.
const Assembly = false
