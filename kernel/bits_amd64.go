//go:build gc && !purego && !race

package kernel

//lint:file-ignore U1000 the Rest forms are called from assembly

import "github.com/bloomproof/bloomproof/kernel/host"

// The variable "best" is the implementation that the following functions use.
var best = at(host.Popcount, auto)

// The functions whose names end in Auto are in bits_amd64.s. They run the operations with the best implementation. Such
// a function either jumps to an assembly kernel or calls a Go function. For example, countAuto calls the function
// countRest. In both cases no argument escapes to the heap.

//go:noescape
func countAuto(x []uint64) int

//go:noescape
func andCountAuto(a, b []uint64) int

//go:noescape
func orCountAuto(a, b []uint64) int

//go:noescape
func xorCountAuto(a, b []uint64) int

//go:noescape
func andNotCountAuto(a, b []uint64) int

//go:noescape
func andIntoAuto(dst, src []uint64) int

//go:noescape
func orIntoAuto(dst, src []uint64) int

//go:noescape
func andNotIntoAuto(dst, src []uint64) int

func countRest(x []uint64) int             { return count(auto, x) }
func andCountRest(a, b []uint64) int       { return andCount(auto, a, b) }
func orCountRest(a, b []uint64) int        { return orCount(auto, a, b) }
func xorCountRest(a, b []uint64) int       { return xorCount(auto, a, b) }
func andNotCountRest(a, b []uint64) int    { return andNotCount(auto, a, b) }
func andIntoRest(dst, src []uint64) int    { return andInto(auto, dst, src) }
func orIntoRest(dst, src []uint64) int     { return orInto(auto, dst, src) }
func andNotIntoRest(dst, src []uint64) int { return andNotInto(auto, dst, src) }
