package bloomproof

import (
	"math"
	"testing"
)

func TestGeometryValidate(t *testing.T) {
	for _, c := range []struct {
		g    Geometry
		want string
	}{
		{Geometry{M: 1, K: 1}, ""},
		{Geometry{M: 1, K: MaxK}, ""},
		{Geometry{M: math.MaxUint64, K: MaxK}, ""},
		{Geometry{M: 1, K: 1, Hashing: Classic}, ""},
		{Geometry{M: MaxK, K: MaxK, Hashing: Classic}, ""},
		{Geometry{M: math.MaxUint64, K: MaxK, Hashing: Classic}, ""},
		{Geometry{M: 7, K: 7, Hashing: Partitioned}, ""},
		{Geometry{M: math.MaxUint64, K: 15, Hashing: Partitioned}, ""},
		{Geometry{}, "m must be between 1 and 2^64-1, got 0"},
		{Geometry{M: 0, K: 1, Hashing: Partitioned}, "m must be between 1 and 2^64-1, got 0"},
		{Geometry{M: 8}, "k must be between 1 and 4096, got 0"},
		{Geometry{M: 8, Hashing: Partitioned}, "k must be between 1 and 4096, got 0"},
		{Geometry{M: 8, K: -1, Hashing: Partitioned}, "k must be between 1 and 4096, got -1"},
		{Geometry{M: 8, K: math.MinInt, Hashing: Classic}, "k must be between 1 and 4096, got " + minInt},
		{Geometry{M: 8, K: MaxK + 1}, "k must be between 1 and 4096, got 4097"},
		{Geometry{M: 8, K: math.MaxInt32}, "k must be between 1 and 4096, got 2147483647"},
		{Geometry{M: 8, K: 9, Hashing: Classic}, "k must be at most m = 8 for classic hashing, got 9"},
		{Geometry{M: 8, K: 9, Hashing: Partitioned}, "k must be a divisor of m = 8 for partitioned hashing, got 9"},
		{Geometry{M: 100, K: 7, Hashing: Partitioned}, "k must be a divisor of m = 100 for partitioned hashing, got 7"},
		{Geometry{M: 8, K: 1, Hashing: 9}, "hashing must be one of standard, classic, partitioned, double, double-zero, double-odd, double-partitioned, enhanced-double, triple, got 9"},
		{Geometry{M: 2, K: 9, Hashing: Double}, ""},
		{Geometry{M: 9, K: 9, Hashing: DoublePartitioned}, ""},
		{Geometry{M: 1, K: 9, Hashing: EnhancedDouble}, ""},
		{Geometry{M: 1, K: 9, Hashing: Triple}, ""},
		{Geometry{M: 100, K: 7, Hashing: DoublePartitioned}, "k must be a divisor of m = 100 for double-partitioned hashing, got 7"},
		{Geometry{M: 1, K: 1, Hashing: Double}, "m must be at least 2 for double hashing, got 1"},
		{Geometry{M: 1, K: 9, Hashing: DoubleZero}, ""},
		{Geometry{M: 1 << 63, K: 9, Hashing: DoubleOdd}, ""},
		{Geometry{M: 1, K: 9, Hashing: DoubleOdd}, "m must be a power of two from 2 on for double-odd hashing, got 1"},
		{Geometry{M: 96, K: 9, Hashing: DoubleOdd}, "m must be a power of two from 2 on for double-odd hashing, got 96"},
		{Geometry{M: 96, K: 9, Hashing: DoubleOdd, Block: 48}, "block must be a power of two from 2 on for double-odd hashing, got 48"},
		{Geometry{M: 1024, K: 7, Block: 1024}, ""},
		{Geometry{M: 1024, K: 700, Block: 1}, ""},
		{Geometry{M: 1024, K: 8, Block: 256, Hashing: Partitioned}, ""},
		{Geometry{M: math.MaxUint64, K: 3, Block: math.MaxUint64 / 5, Hashing: Classic}, ""},
		{Geometry{M: 1024, K: 7, Block: 100}, "block must be 0 or a divisor of m = 1024, got 100"},
		{Geometry{M: 1024, K: 7, Block: 2048}, "block must be 0 or a divisor of m = 1024, got 2048"},
		{Geometry{M: 1024, K: 65, Block: 64, Hashing: Classic}, "k must be at most block = 64 for classic hashing, got 65"},
		{Geometry{M: 1024, K: 3, Block: 64, Hashing: Partitioned}, "k must be a divisor of block = 64 for partitioned hashing, got 3"},
		{Geometry{M: 1024, K: 0, Block: 64, Hashing: Partitioned}, "k must be between 1 and 4096, got 0"},
		{Geometry{Hashing: 255}, "hashing must be one of standard, classic, partitioned, double, double-zero, double-odd, double-partitioned, enhanced-double, triple, got 255"},
	} {
		wantError(t, c.g.String(), c.g.Validate(), c.want)
	}
}

// minInt is the text of math.MinInt, whatever the size of int.
var minInt = map[bool]string{true: "-2147483648", false: "-9223372036854775808"}[math.MaxInt == math.MaxInt32]

func TestGeometryString(t *testing.T) {
	for _, c := range []struct {
		g    Geometry
		want string
	}{
		{Geometry{M: 1024, K: 7}, "standard m=1024 k=7"},
		{Geometry{M: math.MaxUint64, K: 1, Hashing: Classic}, "classic m=18446744073709551615 k=1"},
		{Geometry{M: 14, K: 7, Hashing: Partitioned}, "partitioned m=14 k=7"},
		{Geometry{M: 1024, K: 8, Hashing: Partitioned, Block: 256}, "partitioned m=1024 k=8 block=256"},
		{Geometry{K: -1, Hashing: 9}, "Hashing(9) m=0 k=-1"},
	} {
		if got := c.g.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
