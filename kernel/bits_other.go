//go:build !amd64 || !gc || purego || race

package kernel

func countAuto(x []uint64) int             { return count(Auto, x) }
func andCountAuto(a, b []uint64) int       { return andCount(Auto, a, b) }
func orCountAuto(a, b []uint64) int        { return orCount(Auto, a, b) }
func xorCountAuto(a, b []uint64) int       { return xorCount(Auto, a, b) }
func andNotCountAuto(a, b []uint64) int    { return andNotCount(Auto, a, b) }
func andIntoAuto(dst, src []uint64) int    { return andInto(Auto, dst, src) }
func orIntoAuto(dst, src []uint64) int     { return orInto(Auto, dst, src) }
func andNotIntoAuto(dst, src []uint64) int { return andNotInto(Auto, dst, src) }
func subsetAuto(a, b []uint64) bool        { return subset(Auto, a, b) }
