//go:build unix

package kernel

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// TestMappedSize checks that a mapping has the same number of bytes as its file. A fault after the end of the file would
// otherwise count as one of the filter.
func TestMappedSize(t *testing.T) {
	f, err := New(bloomproof.Geometry{M: 1000, K: 3}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "filter")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := MapFilter(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if n := len(m.at.mapping); littleEndian && n != len(data) {
		t.Errorf("%d bytes of a file of %d are mapped", n, len(data))
	}
}
