package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/follow"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/solve"
)

// recordARM64 is the path of the file with the record. Each form of an arm64 instruction was tested on a processor or
// an emulator. For each form, this file names the processor or emulator.
const recordARM64 = "verify/proof/machine/silicon_arm64.txt"

// validateARM64 tests every instruction form in the table for arm64 on a processor. It uses this computer's
// processor, or the emulator qemu if this computer has another architecture. It writes the record.
func validateARM64(root, dir string) error {
	f, err := object.Link(root, dir, "arm64")
	if err != nil {
		return err
	}
	code, err := arm64.Extra()
	if err != nil {
		return err
	}
	for _, name := range f.Functions() {
		c, err := f.Function(name)
		if err != nil {
			return err
		}
		of, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
		if err != nil {
			return err
		}
		code = append(code, of...)
	}
	found := map[string]map[string]arm64.Instruction{}
	for _, in := range code {
		form := in.Form()
		if _, ok := arm64.Lookup(form); !ok && !arm64.IsBranch(in) {
			continue
		}
		if found[form] == nil {
			found[form] = map[string]arm64.Instruction{}
		}
		text := in.Plain()
		if arm64.IsBranch(in) { // the destination does not matter
			text, _, _ = strings.Cut(text, " ")
		}
		found[form][text] = in
	}
	var rows []arm64.Row
	var list strings.Builder
	for _, form := range slices.Sorted(maps.Keys(found)) {
		texts := slices.Sorted(maps.Keys(found[form]))
		n := min(len(texts), instances)
		for i := range n {
			in := found[form][texts[i*(len(texts)-1)/max(n-1, 1)]]
			fmt.Fprintf(&list, "%x %08x %s\n", in.Address, in.Word, in.Plain())
			rows = append(rows, arm64.Row{In: in, States: states})
		}
	}
	cpu, program, err := processorARM64()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "onchip")
	build := exec.Command("go", "build", "-o", path, "./verify/proof/machine/internal/arm64/onchip")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	cmd := exec.Command(program[0], append(program[1:], path, fmt.Sprintf("-states=%d", states))...)
	if program[0] == "" {
		cmd = exec.Command(path, fmt.Sprintf("-states=%d", states))
	}
	cmd.Stdin = strings.NewReader(list.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	for i := range rows {
		rows[i].CPU = cpu
	}
	return os.WriteFile(filepath.Join(root, recordARM64), []byte(arm64.Format(rows)), 0o644)
}

// processorARM64 returns the name of the processor or emulator that runs programs for arm64 here. If programs run in an
// emulator, the result "command" starts this emulator.
func processorARM64() (name string, command []string, err error) {
	if runtime.GOARCH == "arm64" {
		text, err := os.ReadFile("/proc/cpuinfo")
		var of []string
		for l := range strings.Lines(string(text)) {
			if key, v, ok := strings.Cut(l, ":"); ok && strings.HasPrefix(key, "CPU ") && len(of) < 5 {
				of = append(of, strings.TrimSpace(strings.TrimPrefix(key, "CPU "))+" "+strings.TrimSpace(v))
			}
		}
		return "a processor, " + strings.Join(of, ", "), []string{""}, err
	}
	const qemu = "qemu-aarch64-static"
	out, err := exec.Command(qemu, "--version").Output()
	if err != nil {
		return "", nil, fmt.Errorf("%s (Debian: apt-get install qemu-user-static): %w", qemu, err)
	}
	version, _, _ := strings.Cut(string(out), "\n")
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "qemu-aarch64 version "), " (")
	return "qemu-aarch64 " + version + ", an emulator", []string{qemu}, nil
}

// Some bits in a function's code depend on where the linker puts code and data. The function distancesARM64 returns the
// places of these bits. Some of these bits are in call instructions. The others are in pairs of instructions. Such a
// pair is an ADRP and the ADD after it, which together compute an address. For such a pair the result also has the
// number of bytes that the function loads from this address. For a call it has the name of the called function, which
// the argument "name" returns.
func distancesARM64(code []arm64.Instruction, name func(address uint64) string) []distance {
	var out []distance
	for i, in := range code {
		d := distance{at: int(in.Address - code[0].Address)}
		switch {
		case in.Name == "bl":
			d.to = name(in.Args[0].Value)
			out = append(out, d)
		case in.Name == "adrp" && i+3 < len(code):
			// The instructions are ADRP, ADD, and an LD1 from the resulting address. The function may first subtract an
			// index from this address. Then the data begin d.before bytes below the address.
			at := i + 2
			if code[at].Name == "sub" && code[at].Args[0].Reg == in.Args[0].Reg {
				at, d.before = at+1, 14
			}
			l := code[at]
			if code[i+1].Form() == "add x,x,i" && l.Name == "ld1" && l.Args[1].Reg == in.Args[0].Reg {
				d.bytes = d.before + l.Args[0].Count*l.Args[0].Lanes*l.Args[0].Width/8
			}
			out = append(out, d)
		}
	}
	return out
}

// targetARM64 returns the address that an ADRP and the ADD after it compute. It decodes the address bits of both
// instructions.
func targetARM64(c object.Code, d distance) uint64 {
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(c.Bytes[at:]) }
	adrp := arm64.Instruction{Address: c.Address + uint64(d.at), Word: word(d.at)}
	return adrp.Page() + uint64(word(d.at+4)>>10&0xfff)
}

// isCall reports whether an instruction is BL. The argument has the bytes of this instruction.
func isCall(b []byte) bool { return b[3]>>2 == 0x25 }

// calledARM64 returns the address of the function that the instruction BL at d.at calls.
func calledARM64(c object.Code, d distance) uint64 {
	words := int64(int32(binary.LittleEndian.Uint32(c.Bytes[d.at:])<<6) >> 6)
	return c.Address + uint64(int64(d.at)+4*words)
}

// hashARM64 returns a hash of the function c, of the constants that it loads, and of the names of the functions that it
// calls. Some bits of the code depend on the
// linker. The argument "distances" lists the places of these bits. In the hashed code, these bits are replaced by 0.
func hashARM64(c object.Code, distances []distance, data func(uint64, int) ([]byte, error)) (string, error) {
	b := slices.Clone(c.Bytes)
	keep := func(at int, bits uint32) {
		binary.LittleEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:])&bits)
	}
	for _, d := range distances {
		if d.at%4 != 0 || d.at+8 > len(b) {
			return "", fmt.Errorf("%s: no distance at %d", c.Name, d.at)
		}
		if isCall(b[d.at:]) {
			keep(d.at, 0xfc000000)
			b = append(b, d.to...)
			continue
		}
		keep(d.at, 0x9f00001f)
		keep(d.at+4, 0xffc003ff)
		if d.bytes > 0 {
			constant, err := data(targetARM64(c, d)-uint64(d.before), d.bytes)
			if err != nil {
				return "", fmt.Errorf("%s: %w", c.Name, err)
			}
			b = append(b, constant...)
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256(b)), nil
}

// examineARM64 does for arm64 what the function "examine" does.
func examineARM64(root string, f *object.File, name string, changed bool, old []result) (result, error) {
	r := result{name: name, goarch: f.GOARCH}
	c, err := f.Function(name)
	if err != nil {
		return r, err
	}
	code, err := arm64.Both(f.Path, c.Address, len(c.Bytes))
	if err != nil {
		return r, err
	}
	r.size, r.distances = len(c.Bytes), distancesARM64(code, f.Name)
	if r.hash, err = hashARM64(c, r.distances, f.ReadOnly); err != nil {
		return r, err
	}
	if changed {
		for _, o := range old {
			solve.Known[o.claims] = o.claims != ""
		}
	}
	p, err := proveARM64(root, name, code, follow.Link{Data: f.ReadOnly, Name: f.Name})
	if err != nil {
		r.verdict = err.Error()
		return r, err
	}
	for _, u := range p.Constants {
		if !slices.ContainsFunc(r.distances, func(d distance) bool {
			from := targetARM64(c, d) - uint64(d.before)
			return from <= u.Address && u.Address+uint64(u.Bytes) <= from+uint64(d.bytes)
		}) {
			return r, fmt.Errorf("the constant at %#x is not in the hash", u.Address)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, recordARM64))
	if err != nil {
		return r, err
	}
	rows, err := arm64.ParseRecord(string(text))
	if err != nil {
		return r, err
	}
	_, scripts := asked(p)
	r.paths, r.obligations, r.claims, r.verdict = p.Paths, len(p.Obligations), solve.Hash(scripts), proved
	if assumed := arm64.Unconfirmed(rows, code, states); len(assumed) > 0 {
		r.verdict += ", assuming " + strings.Join(assumed, ", ")
	}
	return r, nil
}

var filesARM64 = []file{
	{regexp.MustCompile(`(Count|Into)NEON$`), "popcount_neon_arm64", nil},
	{regexp.MustCompile(`Ring(NTA)?NEON$`), "probe_ring_neon_arm64", nil},
	{regexp.MustCompile(`^Block.*512(One)?NEON$`), "block_512_neon_arm64", nil},
	{regexp.MustCompile(`^Block.*8x64(One)?NEON$`), "block_8x64_neon_arm64", nil},
	{regexp.MustCompile(`^Block.*8x32(One)?NEON$`), "block_8x32_neon_arm64", nil},
	{regexp.MustCompile(`^Transition.*NEON$`), "transition_neon_arm64", nil},
	{regexp.MustCompile(`NEON$`), "probe_neon_arm64", nil},
}

// claimsARM64 returns the claims that must be proved about the function with the given name.
func claimsARM64(root, name string, code []arm64.Instruction, link follow.Link) (p follow.Proof, err error) {
	twin, err := follow.TwinOf(name)
	if err != nil {
		return p, fmt.Errorf("%w: %w", errNotBegun, err)
	}
	i := slices.IndexFunc(filesARM64, func(f file) bool { return f.names.MatchString(name) })
	if i < 0 {
		return p, fmt.Errorf("%w: no file of invariants", errNotBegun)
	}
	text, err := os.ReadFile(filepath.Join(root, "kernel", "asm", filesARM64[i].stem+".inv"))
	if err != nil {
		return p, fmt.Errorf("%w: no invariants: %w", errNotBegun, err)
	}
	inv, err := follow.ParseInvariants(string(text))
	if err != nil {
		return p, err
	}
	if !inv.Covers(name) {
		return p, fmt.Errorf("%w: %s.inv says nothing of it", errNotBegun, filesARM64[i].stem)
	}
	return follow.Execute(name, twin, inv, code, link)
}

// proveARM64 proves the claims about the function with the given name, and returns them. Like "check" for amd64, it asks
// whether the paths are possible unless the report has the same claims.
func proveARM64(root, name string, code []arm64.Instruction, link follow.Link) (p follow.Proof, err error) {
	if p, err = claimsARM64(root, name, code, link); err != nil {
		return p, err
	}
	names, scripts := asked(p)
	if err := solve.All(names, scripts); err != nil || solve.Known[solve.Hash(scripts)] {
		return p, err
	}
	return p, covered(coversOf(p))
}

// The function coversOf returns the covers of p.
func coversOf(p follow.Proof) (out []cover) {
	for _, c := range p.Covers {
		out = append(out, cover{c.What, len(c.Paths), func(i int) string { return c.Paths[i].Script() }})
	}
	return out
}

// The function "asked" returns the names and the scripts of the claims that the solvers must decide. The solvers must
// decide all claims of p that are not simply the constant "true".
func asked(p follow.Proof) (names, scripts []string) {
	for _, o := range p.Obligations {
		if !o.Claim.Is(1) {
			names, scripts = append(names, o.What), append(scripts, o.Script())
		}
	}
	return names, scripts
}
