//go:build gc && !purego && !race && (amd64 || arm64)

package host

// Assembly is true, because this build has assembly kernels and may use them. Builds with the race detector must not
// use assembly, because the detector does not see its memory accesses.
const Assembly = true
