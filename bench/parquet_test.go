package bench_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	peer "github.com/parquet-go/parquet-go/bloom"

	"github.com/bloomproof/bloomproof/kernel/compat/parquet"
)

// parquet-go and our filter of the format write the same bitset and read each other's.
func TestParquetBitsets(t *testing.T) {
	for _, blocks := range []int{1, 2, 5, 100} {
		theirs := make(peer.SplitBlockFilter, blocks)
		ours, err := parquet.New(32 * blocks)
		if err != nil {
			t.Fatal(err)
		}
		key := func(i int) []byte { return []byte(fmt.Sprintf("%d%0*d", i, i%20, 0)) }
		for i := range 15 * blocks {
			theirs.Insert(xxhash.Sum64(key(i)))
			ours.Add(key(i))
		}
		if !bytes.Equal(theirs.Bytes(), ours.AppendBitset(nil)) {
			t.Fatalf("%d blocks: the bitsets differ", blocks)
		}
		read, err := parquet.FromBitset(theirs.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			if h := xxhash.Sum64(key(i)); read.ContainsHash(h) != theirs.Check(h) {
				t.Errorf("%d blocks: %q is %t here and %t there", blocks, key(i), read.ContainsHash(h), theirs.Check(h))
			}
		}
	}
}

// The vector that package parquet is tested by is parquet-go's.
func TestParquetVector(t *testing.T) {
	theirs := make(peer.SplitBlockFilter, 4)
	for i := range 60 {
		theirs.Insert(xxhash.Sum64([]byte(fmt.Sprintf("%d%0*d", i, i%20, 0))))
	}
	text, err := os.ReadFile("../kernel/compat/parquet/testdata/parquet-go.hex")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := hex.EncodeToString(theirs.Bytes()), strings.Join(strings.Fields(string(text)), ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
