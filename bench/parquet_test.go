package bench_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	peerfile "github.com/parquet-go/parquet-go"
	peer "github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

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

// Our header is the one that parquet-go's encoder of Thrift writes, and its decoder reads ours.
func TestParquetHeader(t *testing.T) {
	for _, blocks := range []int{1, 2, 100, 1 << 15} {
		header, err := thrift.Marshal(new(thrift.CompactProtocol), &format.BloomFilterHeader{
			NumBytes:    int32(32 * blocks),
			Algorithm:   format.BloomFilterAlgorithm{Value: &format.SplitBlockAlgorithm{}},
			Hash:        format.BloomFilterHash{Value: &format.XxHash{}},
			Compression: format.BloomFilterCompression{Value: &format.BloomFilterUncompressed{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		f, err := parquet.New(32 * blocks)
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if got := data[:len(data)-32*blocks]; !bytes.Equal(got, header) {
			t.Errorf("%d blocks: header %x, parquet-go's %x", blocks, got, header)
		}
		var read format.BloomFilterHeader
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), data[:len(header)], &read); err != nil || read.NumBytes != int32(32*blocks) {
			t.Errorf("%d blocks: parquet-go reads %+v, %v", blocks, read, err)
		}
	}
}

// The filter of a column is read from a file that parquet-go wrote, where its metadata says, and is written byte for byte.
func TestParquetFile(t *testing.T) {
	type row struct{ Name string }
	var file bytes.Buffer
	w := peerfile.NewGenericWriter[row](&file, peerfile.BloomFilters(peerfile.SplitBlockFilter(10, "Name")))
	var rows []row
	for i := range 500 {
		rows = append(rows, row{fmt.Sprint("name ", i)})
	}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := peerfile.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	at := read.Metadata().RowGroups[0].Columns[0].MetaData.BloomFilterOffset
	var f parquet.Filter
	n, err := f.ReadFrom(bytes.NewReader(file.Bytes()[at:]))
	if err != nil {
		t.Fatal(err)
	}
	written, err := f.MarshalBinary()
	if err != nil || !bytes.Equal(written, file.Bytes()[at:at+n]) {
		t.Errorf("another filter is written, %v", err)
	}
	theirs := read.RowGroups()[0].ColumnChunks()[0].BloomFilter()
	found := 0
	for i := range 2000 {
		name := fmt.Sprint("name ", i)
		want, err := theirs.Check(peerfile.ValueOf(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Contains([]byte(name)); got != want || i < len(rows) && !got {
			t.Errorf("%s is contained: %t, parquet-go says %t", name, got, want)
		}
		if want {
			found++
		}
	}
	if found < 500 || found > 600 {
		t.Errorf("%d of 2000 names are found", found)
	}
}
