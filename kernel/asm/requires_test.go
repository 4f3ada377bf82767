package asm_test

import (
	"embed"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/kernel/host"
)

//go:embed *.s
var sources embed.FS

// familyOf says by the first word of an assembly file's name what its kernels belong to.
var familyOf = map[string]host.Family{
	"popcount": host.Popcount, "probe": host.Probe, "transition": host.Transition,
	"hash": host.Hash, "block": host.Block,
}

// TestRequiresLine compares the Requires line of each assembly file of this
// architecture, <family>[_<part>]_<impl>_<arch>.s, with the features by which the host
// decides to run it, and asserts that every implementation that a family is said to have
// has a file.
func TestRequiresLine(t *testing.T) {
	seen := map[string]bool{} // first word of the name, implementation
	files, err := sources.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		words := strings.Split(strings.TrimSuffix(file.Name(), ".s"), "_")
		if words[len(words)-1] != runtime.GOARCH {
			continue
		}
		f, known := familyOf[words[0]]
		im := slices.IndexFunc(impls, func(im host.Impl) bool { return im.String() == words[len(words)-2] })
		if !known || im < 0 {
			t.Errorf("%s: no family or no implementation is called that", file.Name())
			continue
		}
		features, ok := host.Requires(f, impls[im])
		if !ok {
			continue // a build without assembly
		}
		seen[words[0]+" "+impls[im].String()] = true
		src, err := sources.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(`(?m)^// Requires  (.*)\.$`).FindSubmatch(src)
		if line == nil {
			t.Errorf("%s: no Requires line", file.Name())
			continue
		}
		said := strings.Split(string(line[1]), ", ")
		if impls[im] == host.NEON {
			said = slices.DeleteFunc(said, func(s string) bool { return s == "nothing beyond arm64" })
		}
		if !slices.Equal(said, features) {
			t.Errorf("%s requires %v, the host asks for %v", file.Name(), said, features)
		}
	}
	for word, f := range familyOf {
		for _, im := range impls {
			if _, ok := host.Requires(f, im); ok && !seen[word+" "+im.String()] {
				t.Errorf("no file of %s for %v", word, im)
			}
		}
	}
}

// impls are the implementations in assembly.
var impls = []host.Impl{host.Popcnt, host.AVX2, host.AVX512, host.NEON}
