package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"testing"
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
	size := 64 << 20
	if testing.Short() {
		size = 16 << 20
	}
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
