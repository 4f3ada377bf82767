//go:build gc && !purego && !race && (amd64 || arm64)

package host

// Assembly says whether this build's operations may choose assembly. Builds with the race
// detector do not, as it sees no access from there.
const Assembly = true
