package fuzz

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// FuzzMapped writes data to a file, as it is or with its checksums corrected, and maps the file:
// Verify accepts exactly the data that UnmarshalBinary accepts, and the answers are then the same;
// other data is refused, or gives answers without a fault.
func FuzzMapped(f *testing.F) {
	path := filepath.Join(f.TempDir(), "snapshot")
	f.Fuzz(func(t *testing.T, data []byte, sum bool) {
		if sum {
			data = summed(data)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		o := kernel.Keyed(snapshotKey)
		for _, o := range []kernel.Options{{}, o} {
			own, err := kernel.New(bloomproof.Geometry{M: 1, K: 1}, o)
			if err != nil {
				t.Fatal(err)
			}
			refused := own.UnmarshalBinary(data)
			m, err := kernel.MapFilter(path, o)
			if err != nil {
				if refused == nil || !errors.Is(err, kernel.ErrCorrupt) && !ofKey(err) {
					t.Fatalf("MapFilter: %v, UnmarshalBinary: %v", err, refused)
				}
				continue
			}
			damaged := m.Verify()
			if (damaged == nil) != (refused == nil) || damaged != nil && !errors.Is(damaged, kernel.ErrCorrupt) {
				t.Fatalf("Verify: %v, UnmarshalBinary: %v", damaged, refused)
			}
			keys := [][]byte{nil, {1}, data[:min(len(data), 40)]}
			got := m.ContainsBatch(nil, kernel.KeysOf(keys))
			for i, key := range keys {
				if got[i] != m.Contains(key) || refused == nil && got[i] != own.Contains(key) {
					t.Fatalf("key %d contained: %t", i, got[i])
				}
			}
			cases.Add(1)
			if refused == nil && (m.Geometry() != own.Geometry() || m.Rate() != own.Rate() || m.String() != own.String()) {
				t.Fatalf("mapped %v, read %v", m, own)
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, data) {
			t.Fatalf("the file has changed: %v", err)
		}
	})
}
