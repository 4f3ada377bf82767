//go:build gc && !purego && !race && (amd64 || arm64)

package host

// Assembly says whether this build's operations may choose assembly. Builds with the race detector must not, because it
// sees no memory access from assembly.
const Assembly = true
