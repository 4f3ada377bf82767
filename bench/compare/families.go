package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	_ "embed"

	"github.com/bloomproof/bloomproof/kernel/host"
	"github.com/klauspost/cpuid/v2"
)

// These are the families of CPUs. A family is defined by the vector instructions that the kernels of filters use.
const (
	avx512 = "AVX-512"
	avx2   = "AVX2"
	neon   = "NEON"
	none   = "no vectors"
)

// families lists the families in the order of the results.
var families = []string{avx512, avx2, neon, none}

// family returns the family of this CPU. It depends only on the CPU features.
func family() string {
	switch host.At(host.Probe, host.Auto) {
	case host.AVX512:
		return avx512
	case host.AVX2:
		return avx2
	case host.NEON:
		return neon
	}
	return none
}

// lowered returns the value of the environment variable host.Env if this value turns off features of the CPU, so that
// the CPU belongs to a family with fewer features. Otherwise it returns "".
func lowered() string {
	switch family() {
	case avx512, neon:
		return ""
	case avx2:
		if cpuid.CPU.X64Level() < withAVX512 {
			return ""
		}
	}
	return host.Forced()
}

// withAVX512 is the lowest microarchitecture level of amd64 (GOAMD64) that includes AVX-512.
const withAVX512 = 4

// march returns the target for which the C++ peers are compiled: this CPU, or, if the function lowered returns a value,
// a CPU of the family with fewer features.
func march() string {
	if lowered() == "" || runtime.GOARCH != "amd64" {
		return "native"
	}
	switch host.At(host.Probe, host.Auto) {
	case host.AVX2:
		return "x86-64-v3"
	case host.Popcnt:
		return "x86-64-v2"
	}
	return "x86-64"
}

// loweredMark is the beginning of a line in the tables. The line says that the CPU has more features than the family
// for which it was measured.
const loweredMark = "- Lowered: "

// loweredSaid returns the line that begins with loweredMark, or "" if the function lowered returns "".
func loweredSaid() string {
	word := lowered()
	if word == "" {
		return ""
	}
	by := fmt.Sprintf("were turned off by %s=%s. The C++ peers are compiled with -march=%s.", host.Env, word, march())
	if family() == avx2 {
		return loweredMark + "a CPU with AVX-512 whose AVX-512 kernels " + by +
			" The Go peers choose their code themselves, and none of them runs AVX-512 code here. (xxh3 has such code for keys of 1 KiB and more. viant/vec has it if a program asks for it.)\n"
	}
	return loweredMark + "a CPU whose vector kernels " + by + " The Go peers choose their code themselves, and still use vector instructions.\n"
}

// The variable tried is text about missed goals: what was tried, and what did not help.
//
//go:embed tried.md
var tried string

const (
	resultsTitle = "# Comparison with other filters\n\nThe tables are grouped by families of CPUs. A run replaces only the tables of its own family.\n"
	markerBegin  = "<!-- family: "
	markerEnd    = " -->\n"
	markerTried  = "<!-- tried -->\n"
)

// The argument results is the text with the tables of all families, and the argument name is one of these families. The
// function withFamily returns results with new tables for this family, which the argument text contains.
func withFamily(results, name, text string) (string, error) {
	if !slices.Contains(families, name) {
		return "", fmt.Errorf("no family of CPUs is named %q", name)
	}
	tables := map[string]string{}
	results, _, _ = strings.Cut(results, markerTried)
	for i, part := range strings.Split(results, markerBegin) {
		if i == 0 {
			continue // this part is the title
		}
		of, body, ok := strings.Cut(part, markerEnd)
		if !ok || !slices.Contains(families, of) {
			line, _, _ := strings.Cut(part, "\n")
			return "", fmt.Errorf("the results have tables of an unknown family: %q", line)
		}
		if tables[of] != "" {
			return "", fmt.Errorf("the results have two tables of %s", of)
		}
		tables[of] = body
	}
	if old := tables[name]; old != "" && !strings.Contains(old, loweredMark) && strings.Contains(text, loweredMark) {
		return "", fmt.Errorf("the tables of %s are those of such a CPU; one that was lowered to it does not replace them", name)
	}
	tables[name] = text
	var b strings.Builder
	b.WriteString(resultsTitle)
	for _, of := range families {
		if tables[of] != "" {
			fmt.Fprintf(&b, "\n%s%s%s\n%s\n", markerBegin, of, markerEnd, strings.TrimSpace(tables[of]))
		}
	}
	b.WriteString("\n" + markerTried + tried)
	return b.String(), nil
}

// writeFamily replaces the tables of a family in a file. It creates the file if there is none.
func writeFamily(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	results, err := withFamily(string(old), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(results), 0o644)
}
