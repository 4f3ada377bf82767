package bloomproof_test

import (
	"math"
	"testing"

	"github.com/bloomproof/bloomproof"
)

func TestGeometryValidate(t *testing.T) {
	for _, c := range []struct {
		g    bloomproof.Geometry
		want string
	}{
		{bloomproof.Geometry{M: 1, K: 1}, ""},
		{bloomproof.Geometry{M: 1, K: bloomproof.MaxK}, ""},
		{bloomproof.Geometry{M: math.MaxUint64, K: bloomproof.MaxK}, ""},
		{bloomproof.Geometry{M: 1, K: 1, Hashing: bloomproof.Classic}, ""},
		{bloomproof.Geometry{M: bloomproof.MaxK, K: bloomproof.MaxK, Hashing: bloomproof.Classic}, ""},
		{bloomproof.Geometry{M: math.MaxUint64, K: bloomproof.MaxK, Hashing: bloomproof.Classic}, ""},
		{bloomproof.Geometry{M: 7, K: 7, Hashing: bloomproof.Partitioned}, ""},
		{bloomproof.Geometry{M: math.MaxUint64, K: 15, Hashing: bloomproof.Partitioned}, ""},
		{bloomproof.Geometry{}, "m must be between 1 and 2^64-1, got 0"},
		{bloomproof.Geometry{M: 0, K: 1, Hashing: bloomproof.Partitioned}, "m must be between 1 and 2^64-1, got 0"},
		{bloomproof.Geometry{M: 8}, "k must be between 1 and 4096, got 0"},
		{bloomproof.Geometry{M: 8, Hashing: bloomproof.Partitioned}, "k must be between 1 and 4096, got 0"},
		{bloomproof.Geometry{M: 8, K: -1, Hashing: bloomproof.Partitioned}, "k must be between 1 and 4096, got -1"},
		{bloomproof.Geometry{M: 8, K: math.MinInt, Hashing: bloomproof.Classic}, "k must be between 1 and 4096, got " + minInt},
		{bloomproof.Geometry{M: 8, K: bloomproof.MaxK + 1}, "k must be between 1 and 4096, got 4097"},
		{bloomproof.Geometry{M: 8, K: math.MaxInt32}, "k must be between 1 and 4096, got 2147483647"},
		{bloomproof.Geometry{M: 8, K: 9, Hashing: bloomproof.Classic}, "k must be at most m = 8 for classic hashing, got 9"},
		{bloomproof.Geometry{M: 8, K: 9, Hashing: bloomproof.Partitioned}, "k must be a divisor of m = 8 for partitioned hashing, got 9"},
		{bloomproof.Geometry{M: 100, K: 7, Hashing: bloomproof.Partitioned}, "k must be a divisor of m = 100 for partitioned hashing, got 7"},
		{bloomproof.Geometry{M: 8, K: 1, Hashing: 9}, "hashing must be one of standard, classic, partitioned, double, double-zero, double-odd, double-partitioned, enhanced-double, triple, got 9"},
		{bloomproof.Geometry{M: 2, K: 9, Hashing: bloomproof.Double}, ""},
		{bloomproof.Geometry{M: 9, K: 9, Hashing: bloomproof.DoublePartitioned}, ""},
		{bloomproof.Geometry{M: 1, K: 9, Hashing: bloomproof.EnhancedDouble}, ""},
		{bloomproof.Geometry{M: 1, K: 9, Hashing: bloomproof.Triple}, ""},
		{bloomproof.Geometry{M: 100, K: 7, Hashing: bloomproof.DoublePartitioned}, "k must be a divisor of m = 100 for double-partitioned hashing, got 7"},
		{bloomproof.Geometry{M: 1, K: 1, Hashing: bloomproof.Double}, "m must be at least 2 for double hashing, got 1"},
		{bloomproof.Geometry{M: 1, K: 9, Hashing: bloomproof.DoubleZero}, ""},
		{bloomproof.Geometry{M: 1 << 63, K: 9, Hashing: bloomproof.DoubleOdd}, ""},
		{bloomproof.Geometry{M: 1, K: 9, Hashing: bloomproof.DoubleOdd}, "m must be a power of two from 2 on for double-odd hashing, got 1"},
		{bloomproof.Geometry{M: 96, K: 9, Hashing: bloomproof.DoubleOdd}, "m must be a power of two from 2 on for double-odd hashing, got 96"},
		{bloomproof.Geometry{M: 96, K: 9, Hashing: bloomproof.DoubleOdd, Block: 48}, "block must be a power of two from 2 on for double-odd hashing, got 48"},
		{bloomproof.Geometry{M: 1024, K: 7, Block: 1024}, ""},
		{bloomproof.Geometry{M: 1024, K: 700, Block: 1}, ""},
		{bloomproof.Geometry{M: 1024, K: 8, Block: 256, Hashing: bloomproof.Partitioned}, ""},
		{bloomproof.Geometry{M: math.MaxUint64, K: 3, Block: math.MaxUint64 / 5, Hashing: bloomproof.Classic}, ""},
		{bloomproof.Geometry{M: 1024, K: 7, Block: 100}, "block must be 0 or a divisor of m = 1024, got 100"},
		{bloomproof.Geometry{M: 1024, K: 7, Block: 2048}, "block must be 0 or a divisor of m = 1024, got 2048"},
		{bloomproof.Geometry{M: 1024, K: 65, Block: 64, Hashing: bloomproof.Classic}, "k must be at most block = 64 for classic hashing, got 65"},
		{bloomproof.Geometry{M: 1024, K: 3, Block: 64, Hashing: bloomproof.Partitioned}, "k must be a divisor of block = 64 for partitioned hashing, got 3"},
		{bloomproof.Geometry{M: 1024, K: 0, Block: 64, Hashing: bloomproof.Partitioned}, "k must be between 1 and 4096, got 0"},
		{bloomproof.Geometry{Hashing: 255}, "hashing must be one of standard, classic, partitioned, double, double-zero, double-odd, double-partitioned, enhanced-double, triple, got 255"},
	} {
		wantError(t, c.g.String(), c.g.Validate(), c.want)
	}
}

// minInt is the text of math.MinInt, whatever the size of int.
var minInt = map[bool]string{true: "-2147483648", false: "-9223372036854775808"}[math.MaxInt == math.MaxInt32]

func TestGeometryString(t *testing.T) {
	for _, c := range []struct {
		g    bloomproof.Geometry
		want string
	}{
		{bloomproof.Geometry{M: 1024, K: 7}, "standard m=1024 k=7"},
		{bloomproof.Geometry{M: math.MaxUint64, K: 1, Hashing: bloomproof.Classic}, "classic m=18446744073709551615 k=1"},
		{bloomproof.Geometry{M: 14, K: 7, Hashing: bloomproof.Partitioned}, "partitioned m=14 k=7"},
		{bloomproof.Geometry{M: 1024, K: 8, Hashing: bloomproof.Partitioned, Block: 256}, "partitioned m=1024 k=8 block=256"},
		{bloomproof.Geometry{K: -1, Hashing: 9}, "Hashing(9) m=0 k=-1"},
	} {
		if got := c.g.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
