package verify

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/bloomproof/bloomproof/exact"
	"github.com/bloomproof/bloomproof/kernel/compat/parquet"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The measured rate of Parquet's filter is that of independent positions, although a key's 8
// positions are products of the same 32 bits: what that adds is too little to be seen here.
//
// Claims: none of a paper's: it is what package parquet states of itself.
func TestParquetMeasuredRate(t *testing.T) {
	const queries = 1 << 11
	worst := 0.0
	for _, blocks := range []uint64{1, 2, 3, 1000} {
		for _, perBlock := range []uint64{4, 9, 24} { // 64, 28 and 11 bits a key
			n, filters := blocks*perBlock, longtest.More(100, 4000)
			if blocks == 1000 {
				filters = filters/20 + 10
			}
			var sum, squares float64
			for run := range filters {
				f, err := parquet.New(int(32 * blocks))
				if err != nil {
					t.Fatal(err)
				}
				key := func(i uint64) []byte {
					return binary.LittleEndian.AppendUint64(nil, uint64(run)<<32|i)
				}
				for i := range n {
					f.Add(key(i))
				}
				found := 0
				for i := range uint64(queries) {
					if f.Contains(key(n + i)) {
						found++
					}
				}
				x := float64(found) / queries
				sum, squares = sum+x, squares+x*x
			}
			f, err := parquet.New(int(32 * blocks))
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := exact.FPR(f.Geometry(), n, 60, exact.Auto)
			if err != nil {
				t.Fatal(err)
			}
			runs := float64(filters)
			mean := sum / runs
			// The variance of the queries is a floor where no filter was hit.
			rate := want.Float64()
			variance := max((squares/runs-mean*mean)/(runs-1), rate*(1-rate)/(queries*runs))
			z := (mean - rate) / math.Sqrt(variance)
			worst = max(worst, math.Abs(z))
			if math.Abs(z) > maxBlocksZ {
				t.Errorf("%v n=%d: rate %.6g, want %.6g (z = %.1f)", f.Geometry(), n, mean, rate, z)
			}
		}
	}
	t.Logf("largest |z| %.2f", worst)
}
