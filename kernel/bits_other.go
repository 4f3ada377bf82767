//go:build !amd64 || !gc || purego || race

package kernel

func countAuto(x []uint64) int             { return count(auto, x) }
func andCountAuto(a, b []uint64) int       { return andCount(auto, a, b) }
func orCountAuto(a, b []uint64) int        { return orCount(auto, a, b) }
func xorCountAuto(a, b []uint64) int       { return xorCount(auto, a, b) }
func andNotCountAuto(a, b []uint64) int    { return andNotCount(auto, a, b) }
func andIntoAuto(dst, src []uint64) int    { return andInto(auto, dst, src) }
func orIntoAuto(dst, src []uint64) int     { return orInto(auto, dst, src) }
func andNotIntoAuto(dst, src []uint64) int { return andNotInto(auto, dst, src) }
