// Command machine proves the assembly functions of package kernel/asm (the kernels) from their linked bytes, and prints
// a line for each:
//
//	go run ./verify/proof/machine                    every assembly function of kernel/asm
//	go run ./verify/proof/machine -func CountPopcnt  one function, or several, separated by commas
//	go run ./verify/proof/machine -changed           every function; claims proved in the report are not proved again
//	go run ./verify/proof/machine -write             every function, and write report.txt
//	go run ./verify/proof/machine -mutants PROGRAM   mutants, for verify/internal/tools/asmmutant -prove
//	go run ./verify/proof/machine -validate          no function; compares the semantics with this processor and
//	                                                 writes silicon.txt, compares the semantics for arm64 with
//	                                                 qemu and writes silicon_arm64.txt
//	go run ./verify/proof/machine -validate -changed the same; forms for amd64 that are in silicon.txt are not compared again
//	go run ./verify/proof/machine -arch arm64        the functions for one platform, with each of the above.
//
// A function that is not proved is listed with the reason. If there are invariants for such a function, or if it was
// requested by name, this is an error. A verdict that differs from the verdict in report.txt is also an error. The
// command needs Go, binutils (binutils-aarch64-linux-gnu for arm64), llvm, z3 and cvc5. Run it in the module's folder.
//
// A proof relies on the two decoders and on the two solvers. The decoders must agree, and the solvers must agree too.
// The solver that proves a claim first says which conditions it needs. The other solver then proves the claim from
// these conditions alone. For most claims, z3 is the first. A proof relies on the semantics of each instruction form.
// The file silicon.txt lists the forms that a processor has confirmed. If a function contains another form, the verdict
// names this form. It relies on packages symbolic and simulate, and on the twin, which restates the Go function. A test
// compares the twin with that function. A proof also relies on three rules of package symbolic for counting ones. They
// are called "by bytes", "by columns" and "by prefixes". The proof relies on package term, which computes with sums
// modulo 2^64. For hashes, it also relies on the rules of package term for halves of words. The function Sweep of
// package term divides a claim into smaller claims, and both solvers prove each of these. The proof relies on Sweep:
// the smaller claims must imply the whole claim. The function Integers of package term restates claims that compare
// sums. The restated claims are about integers, and the proof relies on Integers: they must imply the claims about
// words. Package solve leaves operations out of most other claims (linear.go), and z3 gets what remains translated to
// integers. The solver cvc5 gets it about words. So if this translation were wrong, z3 alone would prove a wrong claim.
// For blocks, the proof assumes that the index of a block is below the number of blocks. The program
// verify/proof/smt proves this. For functions with vectors, it relies on the lemmas of package simulate. Both solvers
// prove these lemmas. The lemmas are about products, quotients and popcounts. The proof relies on the code that applies
// the lemmas. The Go assembler is not trusted at all.
//
// The proofs of package simulate hold only for callers that satisfy the twin's assumptions (twins.txt, "assume"). These
// are k >= 1, positions inside the words, and blocks inside the array. Some kernels also look up positions of keys that
// are not there. For these kernels, the twin assumes what kernel/asm/positions_portable.go demands: the words have
// (k-1)*step + span bits. That all positions are inside the words is then proved. The twin of ContainsLevelsAVX2 also
// assumes k < 2^32. Package kernel satisfies these assumptions.
//
// Some kernels keep positions, hashes or lists in the frame. In the twin, they are in an array of its own. The line
// "each" of an invariant is about all words of this array, and "take" says for which words it is used (each.go of
// package simulate). The stack pointer is a multiple of 8 at the entry.
//
// Some kernels look up keys with a ring of keys in flight, which lies in the frame. The twin of such a kernel has the
// same ring, as an array of its own (records.go of package simulate, slots.go of package follow). A theorem of
// verify/proof/theorems says that a ring ends, and that its answers are those of a loop over the keys. That the twin is
// such a ring is not proved. Tests compare it with the portable function (TestRingsArePortable, and for arm64
// TestTwinsArePortable). For amd64, the kernel ends if its twin does, because the twin makes a step on each of the
// kernel's paths from one loop head to the next. For arm64, the solvers prove that the kernel ends.
//
// A function whose frame is large begins with a check of the stack. If the stack is too short, the runtime makes it
// larger, and the function begins anew. The instructions of this check must be exactly those that the Go assembler
// writes (WithoutCheck of package decode). The proof is about the instructions after the check. It relies on the
// runtime, and on the frame being as large as the check assumes, which is checked at each instruction.
//
// In the proofs, an unknown function stands for each operation on float64 numbers. The solvers know only that equal
// operands give equal results. So the kernel and its twin apply the same operations to the same operands in the same
// order. The twins of TransitionStep, TransitionRows and TransitionSums add up numbers of bits in another order than
// the portable functions. That the results are the same is not proved. Tests compare them (TestTransitionsArePortable,
// TestRowsArePortable).
//
// The proofs for amd64 use the packages decode, semantics, symbolic and simulate. The proofs for arm64 use the packages
// arm64 and follow instead. The arm64 instruction forms have been confirmed by qemu (silicon_arm64.txt), which is an
// emulator. For look-ups in blocks of 512 bits, a claim about a position is divided into claims for the bytes of the
// block. For each byte, the function Known of package term rewrites the claim. In this rewriting, the position is
// assumed to lie in this byte. If the result is the constant true, the solvers are not asked. A twin is a program that
// consists of steps. Consider any call for which the portable function does not panic. The proof says that the kernel
// then stores and returns the same values as its twin. A kernel with a stack frame relies on Go's calling convention: at
// the call, the frame pointer is the stack pointer minus 8. A test asserts this of all calls in the linked program
// (TestFramePointersARM64). For arm64, the check of the stack is executed like the other instructions of a function. The
// proof claims that it leaves room for the frame, and that nothing else is done before the runtime is called (frame.go of
// package follow).
//
// If the conditions of a path contradict one another, every claim about this path is true. So a proof also needs paths
// that are possible. From the entry and from each loop head with each combination of cases, z3 finds values for at least
// one path. It also does so for at least one path to the return, and for at least one path to each loop head that begins
// elsewhere. With -changed, it is not asked if the report has the same claims. For arm64, a test asks it of all functions
// (TestCoversARM64).
//
// With -changed, the command takes 25 s of processor time if all claims are in the report. All claims from nothing, with
// those of verify/proof/smt, took 11 min 7 s of processor time, and 17 min 34 s by the clock, on a machine with two cores
// that other programs also used (2026-11-29; load 3 to 6; z3 4.8.12 and cvc5 1.0.3). The aim is 15 min. Before z3 was
// asked about integers, they took 38 min 56 s.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/silicon"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/simulate"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/symbolic"
)

func main() {
	name := flag.String("func", "", "the functions to prove, such as CountPopcnt,CountAVX2; all if empty")
	changed := flag.Bool("changed", false, "ask the solvers only for what is not among the claims that the report says were proved; with -validate, compare only amd64 forms that the record lacks")
	write := flag.Bool("write", false, "write "+reportFile)
	compare := flag.Bool("validate", false, "compare the semantics with this processor instead, and write "+record)
	arch := flag.String("arch", "", "amd64 or arm64; both if empty")
	program := flag.String("mutants", "", "a program of verify/internal/tools/asmmutant: prove the mutants that standard input names")
	known := flag.Bool("known", false, "for -mutants: without the solvers")
	keep := flag.String("cache", "", "a file of the scripts that both solvers have proved, which are not asked again; user for one in the user's cache folder")
	flag.Parse()
	debug.SetGCPercent(400) // terms and scripts are made and dropped fast
	if err := keepAnswers(*keep); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *program != "" {
		if err := mutants(".", *program, cmp.Or(*arch, "amd64"), *known, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp("", "machine")
	if err == nil {
		defer os.RemoveAll(dir)
		if *compare {
			if *arch != "arm64" {
				err = validate(".", dir, *changed)
			}
			if err == nil && *arch != "amd64" {
				err = validateARM64(".", dir)
			}
		} else {
			err = run(".", dir, *arch, *name, *changed, *write)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The argument "path" is the path of a file with the hashes of scripts that were proved earlier. The function
// keepAnswers passes this path to solve.Keep. The path "user" stands for a file in the user's cache folder. If the path
// is empty, keepAnswers does nothing.
func keepAnswers(path string) error {
	if path == "" {
		return nil
	}
	if path == "user" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		path = filepath.Join(dir, "bloomproof", "proved-scripts")
	}
	return solve.Keep(path)
}

// The list "platforms" has the platforms in the order of the report. The functions of these platforms are examined.
var platforms = []struct {
	goarch  string
	examine func(root string, f *object.File, name string, changed bool, old []result) (result, error)
}{{"amd64", examine}, {"arm64", examineARM64}}

// The function "run" examines all functions of the platform arch, or only the functions with the given name. If the
// argument "write" is true, it writes the report. The rows of functions that were not examined stay as they are.
func run(root, dir, arch, name string, changed, write bool) error {
	path := filepath.Join(root, reportFile)
	var old []result
	if text, err := os.ReadFile(path); err == nil {
		if old, err = parseReport(string(text)); err != nil {
			return err
		}
	} else if !write {
		return err
	}
	fmt.Print("seconds | ", reportHead)
	var all, now []result
	for _, p := range platforms {
		if arch != "" && arch != p.goarch {
			all = append(all, of(old, p.goarch)...)
			continue
		}
		f, err := object.Link(root, dir, p.goarch)
		if err != nil {
			return err
		}
		for _, n := range f.Functions() {
			if name != "" && !slices.Contains(strings.Split(name, ","), n) {
				all = append(all, slices.DeleteFunc(of(old, p.goarch), func(o result) bool { return o.name != n })...)
				continue
			}
			start := time.Now()
			r, err := p.examine(root, f, n, changed, old)
			if err != nil && (name != "" || !errors.Is(err, errNotBegun)) {
				return fmt.Errorf("not proved: %s: %w", n, err)
			}
			fmt.Printf("%.1f | %s", time.Since(start).Seconds(), r)
			now, all = append(now, r), append(all, r)
		}
	}
	if len(now) == 0 {
		return fmt.Errorf("no function %s", name)
	}
	if write {
		text := reportHead
		for _, r := range all {
			text += r.String()
		}
		return os.WriteFile(path, []byte(text), 0o644)
	}
	for _, r := range now {
		if !slices.ContainsFunc(old, func(o result) bool { return o.String() == r.String() }) {
			return fmt.Errorf("%s: what %s says of it is not this; go run ./verify/proof/machine -write", r.name, reportFile)
		}
	}
	return nil
}

// The report has rows for several platforms. The function "of" returns the rows for the platform goarch.
func of(rows []result, goarch string) (out []result) {
	for _, r := range rows {
		if r.goarch == goarch {
			out = append(out, r)
		}
	}
	return out
}

// The function "examine" tries to prove that the machine code of the named function is correct. It returns the row of
// this function in the report. If there is no proof, the error is the reason. The report has a hash of the claims of
// each function. If the argument "changed" is true, claims with the same hash as in the report are not proved again.
// The function is still decoded and executed.
func examine(root string, f *object.File, name string, changed bool, old []result) (result, error) {
	r := result{name: name, goarch: f.GOARCH}
	f = f.Of(name)
	c, err := f.Function(name)
	if err != nil {
		return r, err
	}
	code, err := decode.Both(f.Path, c.Address, len(c.Bytes))
	if err != nil {
		return r, err
	}
	r.size = len(c.Bytes)
	if r.distances, err = distances(code, f.ReadOnly, f.Name, f.Around); err != nil {
		return r, err
	}
	if r.hash, err = hash(c, r.distances, f.ReadOnly); err != nil {
		return r, err
	}
	if code, err = decode.WithoutCheck(code, f.Name); err != nil {
		return r, err
	}
	if changed {
		for _, o := range old {
			solve.Known[o.claims] = o.claims != ""
		}
	}
	var p symbolic.Proof
	if strings.HasPrefix(name, stubs) {
		p, err = proveStub(root, strings.TrimPrefix(name, stubs), code, f)
	} else {
		p, err = prove(root, name, code, f.ReadOnly)
	}
	if err != nil {
		r.verdict = err.Error()
		return r, err
	}
	if err := hashed(c, r.distances, p.Constants); err != nil {
		return r, err
	}
	text, err := os.ReadFile(filepath.Join(root, record))
	if err != nil {
		return r, err
	}
	rows, err := silicon.Parse(string(text))
	if err != nil {
		return r, err
	}
	_, scripts := p.Scripts()
	r.paths, r.obligations, r.claims, r.verdict = p.Paths, len(p.Obligations), solve.Hash(scripts), proved
	if assumed := unconfirmed(rows, code); len(assumed) > 0 {
		r.verdict += ", assuming " + strings.Join(assumed, ", ")
	}
	return r, nil
}

// errNotBegun is the reason why a function without twin or invariants is not proved.
var errNotBegun = errors.New("not begun")

// The type "file" describes an assembly file and the invariants file next to it.
type file struct {
	names *regexp.Regexp // matches the names of its functions
	stem  string
	prove func(name, source, invariants string, code []decode.Instruction, data symbolic.Data) (symbolic.Proof, error)
}

var files = []file{
	{regexp.MustCompile(`(Count|Into)Popcnt$`), "popcount_popcnt_amd64", popcount},
	{regexp.MustCompile(`(Count|Into)AVX2$`), "popcount_avx2_amd64", popcount},
	{regexp.MustCompile(`(Count|Into)AVX512$`), "popcount_avx512_amd64", popcount},
	{regexp.MustCompile(`^HashWordsAVX2$`), "hash_avx2_amd64", words},
	{regexp.MustCompile(`^HashWordsAVX512$`), "hash_avx512_amd64", words},
	{regexp.MustCompile(`^(Add|AddPair|AddSlices|Contains|ContainsPair)AtPopcnt$|^Prefetch`), "probe_at_popcnt_amd64", stepwise},
	{regexp.MustCompile(`^AddPopcnt$`), "probe_add_popcnt_amd64", stepwise},
	{regexp.MustCompile(`^ContainsPopcnt$`), "probe_contains_popcnt_amd64", stepwise},
	{regexp.MustCompile(`^ContainsPairRing(T1|NTA)?Popcnt$`), "probe_pairring_popcnt_amd64", stepwise},
	{regexp.MustCompile(`^ContainsRing(T1)?AVX512$`), "probe_ring_avx512_amd64", stepwise},
	{regexp.MustCompile(`^ContainsRing(T1|NTA)?Popcnt$`), "probe_ring_popcnt_amd64", stepwise},
	{regexp.MustCompile(`^AddAVX512$`), "probe_add_avx512_amd64", stepwise},
	{regexp.MustCompile(`^ContainsGatherAVX512$`), "probe_contains_gather_avx512_amd64", stepwise},
	{regexp.MustCompile(`^Transition(Step|Rows|Sums)AVX512$`), "transition_avx512_amd64", stepwise},
	{regexp.MustCompile(`^Transition(Step|Rows|Sums)AVX2$`), "transition_avx2_amd64", stepwise},
	{regexp.MustCompile(`^ContainsOneAVX512$`), "probe_contains_one_avx512_amd64", stepwise},
	{regexp.MustCompile(`^ContainsOneAVX2$`), "probe_contains_one_avx2_amd64", stepwise},
	{regexp.MustCompile(`^ContainsAVX2$`), "probe_contains_avx2_amd64", stepwise},
	{regexp.MustCompile(`^Add(Ahead)?AVX2$`), "probe_add_avx2_amd64", stepwise},
	{regexp.MustCompile(`^ContainsLevelsAVX2$`), "probe_contains_levels_avx2_amd64", stepwise},
	{regexp.MustCompile(`^ContainsAVX512$`), "probe_contains_avx512_amd64", stepwise},
	{regexp.MustCompile(`^AddOneAVX2$`), "probe_add_one_avx2_amd64", stepwise},
	{regexp.MustCompile(`^BlockAdd512(T1|One)?Popcnt$`), "block_512_popcnt_amd64", stepwise},
	{regexp.MustCompile(`^BlockContains512(T1|One)?AVX2$`), "block_512_avx2_amd64", stepwise},
	{regexp.MustCompile(`^BlockAdd512(T1|One)?AVX512$|^BlockContains512OneAVX512$`), "block_512_avx512_amd64", stepwise},
	{regexp.MustCompile(`^PositionsAVX2$`), "probe_positions_avx2_amd64", stepwise},
	{regexp.MustCompile(`^PositionsAVX512$`), "probe_positions_avx512_amd64", stepwise},
	{regexp.MustCompile(`^Block(Contains|Add)8x32(T1)?AVX2$`), "block_8x32_avx2_amd64", stepwise},
	{regexp.MustCompile(`^Block(Contains|Add)8x64(T1)?AVX2$`), "block_8x64_avx2_amd64", stepwise},
}

// With the solvers, the function "prove" proves the function with the given name. It returns the proof.
func prove(root, name string, code []decode.Instruction, data symbolic.Data) (p symbolic.Proof, err error) {
	return proveWith(check, root, name, code, data)
}

// The function proveWith does the same as "prove". But it passes the claims to the function "ask", not to the solvers.
func proveWith(ask func(symbolic.Proof) error, root, name string, code []decode.Instruction, data symbolic.Data) (p symbolic.Proof, err error) {
	if file, ok := symbolic.BlockFile(name); ok {
		if p, err = symbolic.ExecuteBlock(name, code, data); err != nil {
			return p, err
		}
		source, err := os.ReadFile(filepath.Join(root, "kernel", "asm", file))
		if err != nil {
			return p, err
		}
		if err := sufficient(string(source), p.Features); err != nil {
			return p, err
		}
		return p, ask(p)
	}
	i := slices.IndexFunc(files, func(f file) bool { return f.names.MatchString(name) })
	if i < 0 {
		return p, fmt.Errorf("%w: no twin is written down", errNotBegun)
	}
	stem := filepath.Join(root, "kernel", "asm", files[i].stem)
	text, err := os.ReadFile(stem + ".inv")
	if err != nil {
		return p, fmt.Errorf("%w: no invariants: %s.inv is not there", errNotBegun, files[i].stem)
	}
	source, err := os.ReadFile(stem + ".s")
	if err != nil {
		return p, err
	}
	return proveFrom(ask, files[i], name, string(source), string(text), code, data)
}

// Like proveWith, the function proveFrom proves a function. Its arguments include the texts of two files. The first is
// the assembly file: proveFrom reads its header. The second is the file with the invariants.
func proveFrom(ask func(symbolic.Proof) error, f file, name, source, invariants string, code []decode.Instruction, data symbolic.Data) (p symbolic.Proof, err error) {
	if p, err = f.prove(name, source, invariants, code, data); err != nil {
		return p, err
	}
	if err := sufficient(source, p.Features); err != nil {
		return p, err
	}
	return p, ask(p)
}

// proveStub proves a function of package kernel that jumps to kernels, and returns the proof. The argument "name" is
// the name of this function.
func proveStub(root, name string, code []decode.Instruction, f *object.File) (p symbolic.Proof, err error) {
	file := "one_amd64.s"
	if strings.HasSuffix(name, "Auto") {
		file = "bits_amd64.s"
	}
	source, err := os.ReadFile(filepath.Join(root, "kernel", file))
	if err != nil {
		return p, err
	}
	if p, err = simulate.ExecuteStub(name, string(source), code, simulate.Link{Data: f.ReadOnly, Name: f.Name}); err != nil {
		return p, err
	}
	return p, check(p)
}

// The function "popcount" returns the claims that must be proved about the kernel with the given name. This kernel
// counts ones.
func popcount(name, source, invariants string, code []decode.Instruction, data symbolic.Data) (p symbolic.Proof, err error) {
	for slice, bound := range simulate.Bounds(source) {
		if bound != "n" {
			return p, fmt.Errorf("the header has %s[0:%s]: words below n are what is proved", slice, bound)
		}
	}
	return words(name, source, invariants, code, data)
}

// The function "words" returns the claims that must be proved about the kernel with the given name. This kernel
// processes words one after the other.
func words(name, _, invariants string, code []decode.Instruction, data symbolic.Data) (p symbolic.Proof, err error) {
	twin, err := symbolic.TwinOf(name)
	if err != nil {
		return p, err
	}
	inv, err := symbolic.ParseInvariants(invariants)
	if err != nil {
		return p, err
	}
	if !inv.Covers(name) {
		return p, fmt.Errorf("%w: its file of invariants leaves it out", errNotBegun)
	}
	return symbolic.Execute(twin, inv, code, data)
}

// The function "stepwise" returns the claims that must be proved about the kernel with the given name. Package simulate
// compares this kernel with its twin step by step.
func stepwise(name, source, invariants string, code []decode.Instruction, data symbolic.Data) (p symbolic.Proof, err error) {
	inv, err := simulate.ParseInvariants(invariants)
	if err != nil {
		return p, err
	}
	if !inv.Covers(name) {
		return p, fmt.Errorf("%w: its file of invariants says nothing of it", errNotBegun)
	}
	return simulate.Execute(name, source, inv, code, data)
}

var requires = regexp.MustCompile(`(?m)^// Requires  (.*)\.$`)

// Some CPU features include other features. For such a feature, the map "implied" lists the included features.
var implied = map[string][]string{"avx2": {"avx"}, "avx512f": {"avx", "avx2"}}

// The Requires line of an assembly file must name all given CPU features. If it lacks one, the function "sufficient"
// returns an error.
func sufficient(source string, features []string) error {
	m := requires.FindStringSubmatch(source)
	if m == nil {
		return fmt.Errorf("no Requires line")
	}
	said := strings.Split(m[1], ", ")
	for _, s := range slices.Clone(said) {
		said = append(said, implied[s]...)
	}
	for _, f := range features {
		if !slices.Contains(said, f) {
			return fmt.Errorf("the Requires line %q lacks %s", m[1], f)
		}
	}
	return nil
}
