package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

func compress(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// endless is an endless trace of a few keys, cut off after a number of bytes.
type endless struct{ left int }

func (r *endless) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	for i := range n {
		p[i] = "key number one\nanother key\n\nfour\n"[(r.left-i)%33]
	}
	r.left -= n
	return n, nil
}

// The memory of a replay depends on the distinct keys, not on the length of the trace:
// all that it ever allocates, freed or not, is a part of what it reads.
func TestReplayMemory(t *testing.T) {
	size := longtest.More(16, 64) << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	status, stdout, stderr := try(&endless{size}, "replay", "-trace", "-", "-m", "1Ki", "-k", "3", "-sigma", "512", "-model", "lower", "-json")
	runtime.ReadMemStats(&after)
	if status != statusOK {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes allocated for a trace of %d", used, size)
	}
	if object := checkJSON(t, stdout); fmt.Sprint(object["distinct"]) > "9" {
		t.Errorf("%v distinct keys", object["distinct"])
	}
}

// A trace that is mapped is read like any other, twice too; one that loses its pages meanwhile is
// an error, and so is one that was closed.
func TestMappedTrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace")
	want := strings.Repeat("one\ntwo\n", 1<<17)
	if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := openTrace(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := io.ReadAll(f); err != nil || string(got) != want {
			t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
		}
		if err := f.rewind(); err != nil {
			t.Error(err)
		}
	}
	if _, ok := f.Reader.(*mapped); !ok || !f.canRewind() {
		t.Errorf("a regular file is read by a %T", f.Reader)
	}
	if runtime.GOOS == "linux" || runtime.GOOS == "darwin" { // others refuse to cut it
		if err := os.Truncate(name, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(f); err == nil || !strings.Contains(err.Error(), "became shorter") {
			t.Errorf("a file that was cut: error %v", err)
		}
	}
	f.close()
	if _, err := io.ReadAll(f); err == nil {
		t.Error("a file that was closed is read")
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if f, err = openTrace(name, nil); err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if got, err := io.ReadAll(f); err != nil || len(got) != 0 {
		t.Errorf("an empty file: %q, %v", got, err)
	}
}
