// Package object reads the bytes of functions from a linked program.
package object

import (
	"cmp"
	"debug/elf"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const module = "github.com/bloomproof/bloomproof/"

// The constant Assembly is the import path of the package with the kernels.
const Assembly = "github.com/bloomproof/bloomproof/kernel/asm"

// The constant Stubs is the import path of package kernel. The assembly functions of this package jump to kernels. The
// type File gives these functions names that begin with "kernel.".
const Stubs = "github.com/bloomproof/bloomproof/kernel"

// File describes the file of a linked program. It has the addresses of the program's assembly functions.
type File struct {
	Path   string
	GOARCH string
	elf    *elf.File
	funcs  map[string]elf.Symbol
	names  map[uint64]string
	sizes  map[uint64]int
	sorted []string // the names of funcs by address, see From
	stubs  *File    // the program that has the stubs, or nil
}

// Link builds two programs in the folder dir and opens them. The first is the test program of kernel/asm, which has
// every kernel of a platform. The second is a program with the stubs. The argument "root" is the module's folder.
func Link(root, dir, goarch string) (*File, error) {
	path := filepath.Join(dir, "asm-"+goarch)
	if err := build(root, goarch, "test", "-c", "-o", path, "./kernel/asm"); err != nil {
		return nil, err
	}
	f, err := Open(path, goarch)
	if err != nil {
		return nil, err
	}
	texts, err := Texts(root, goarch)
	if err != nil || len(texts["kernel"]) == 0 {
		return f, err
	}
	path = filepath.Join(dir, "stubs-"+goarch)
	if err := build(root, goarch, "build", "-o", path, "./verify/proof/machine/internal/object/stubs"); err != nil {
		return nil, err
	}
	if f.stubs, err = open(path, goarch, Stubs, "kernel."); err != nil {
		return nil, err
	}
	for name := range f.stubs.funcs { // the others are wrappers that the linker adds
		if !slices.Contains(texts["kernel"], strings.TrimPrefix(name, "kernel.")) {
			delete(f.stubs.funcs, name)
		}
	}
	return f, nil
}

func build(root, goarch string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+goarch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

var text = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)

// Texts returns the names of the assembly functions for a platform. The key of the map is the folder of their files.
func Texts(root, goarch string) (map[string][]string, error) {
	out := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, "_"+goarch+".s") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		for _, m := range text.FindAllStringSubmatch(string(source), -1) {
			out[filepath.ToSlash(folder)] = append(out[filepath.ToSlash(folder)], m[1])
		}
		return err
	})
	return out, err
}

// The command verify/internal/tools/asmmutant makes mutants of functions. Each mutant has a name, and the regular
// expression "mutant" matches the end of this name. No Go function has such a name.
var mutant = regexp.MustCompile(`_[0-9]+$`)

// Open reads a linked program that has the kernels.
func Open(path, goarch string) (*File, error) { return open(path, goarch, Assembly, "") }

// The function "open" reads a linked program. The argument "of" is the path of a package. The returned File has the
// assembly functions of this package. Each of their names begins with the given prefix.
func open(path, goarch, of, prefix string) (*File, error) {
	e, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	symbols, err := e.Symbols()
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, GOARCH: goarch, elf: e, funcs: map[string]elf.Symbol{}, names: map[uint64]string{}, sizes: map[uint64]int{}}
	for _, s := range symbols {
		if s.Size > 0 {
			f.sizes[s.Value] = int(s.Size)
			f.names[s.Value] = strings.TrimPrefix(strings.TrimSuffix(s.Name, ".abi0"), module)
		}
		name, ours := strings.CutPrefix(s.Name, of+".")
		if name, asm := strings.CutSuffix(name, ".abi0"); ours && (asm || mutant.MatchString(name)) && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			f.funcs[prefix+name] = s
		}
	}
	if len(f.funcs) == 0 {
		return nil, fmt.Errorf("%s has no function of %s in assembly", path, of)
	}
	return f, nil
}

// The method Of returns the program that contains the function with the given name. This is f itself, or the program
// with the stubs.
func (f *File) Of(name string) *File {
	if f.stubs != nil && strings.HasPrefix(name, "kernel.") {
		return f.stubs
	}
	return f
}

// Functions returns the sorted names of the assembly functions of f. Stubs are in a second program. If f has such a
// program, the sorted names of its assembly functions follow.
func (f *File) Functions() []string {
	var out []string
	for name := range f.funcs {
		out = append(out, name)
	}
	slices.Sort(out)
	if f.stubs != nil {
		out = append(out, f.stubs.Functions()...)
	}
	return out
}

// Code is the machine code of a function.
type Code struct {
	Name    string
	Address uint64
	Bytes   []byte
	Symbol  string // its name in the program
}

// Function returns the machine code of the function with the given name.
func (f *File) Function(name string) (Code, error) {
	if of := f.Of(name); of != f {
		return of.Function(name)
	}
	s, ok := f.funcs[name]
	if !ok {
		return Code{}, fmt.Errorf("%s has no function %s", f.Path, name)
	}
	b, err := f.bytes(s.Value, int(s.Size), elf.SHF_EXECINSTR)
	return Code{name, s.Value, b, s.Name}, err
}

// The method From returns n functions in the order of their addresses. The first of them has the given name. If fewer
// functions remain from there on, it returns all of them.
func (f *File) From(name string, n int) (out []Code, err error) {
	if f.sorted == nil {
		f.sorted = slices.SortedFunc(maps.Keys(f.funcs), func(a, b string) int { return cmp.Compare(f.funcs[a].Value, f.funcs[b].Value) })
	}
	at := slices.Index(f.sorted, name)
	if at < 0 {
		return nil, fmt.Errorf("%s has no function %s", f.Path, name)
	}
	for _, s := range f.sorted[at:min(at+n, len(f.sorted))] {
		c, err := f.Function(s)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// Name returns the name of the symbol that begins at an address, without the module's path. If no symbol begins there,
// it returns "".
func (f *File) Name(address uint64) string { return f.names[address] }

// Around finds the symbol that contains an address. The result has the address where this symbol begins, and its number
// of bytes. If there is no such symbol, this number is 0.
func (f *File) Around(address uint64) (from uint64, size int) {
	if n := f.sizes[address]; n > 0 {
		return address, n
	}
	for a, n := range f.sizes {
		if a <= address && address < a+uint64(n) && (size == 0 || a > from) {
			from, size = a, n
		}
	}
	return from, size
}

// ReadOnly returns n bytes of the program's read-only memory. They begin at the given address.
func (f *File) ReadOnly(address uint64, n int) ([]byte, error) { return f.bytes(address, n, 0) }

// The method "bytes" returns n bytes of the program. They begin at the given address. The bytes must be in a section
// that is not writable and has the given flags.
func (f *File) bytes(address uint64, n int, flags elf.SectionFlag) ([]byte, error) {
	for _, s := range f.elf.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Flags&flags != flags || s.Type != elf.SHT_PROGBITS {
			continue
		}
		if address < s.Addr || address+uint64(n) > s.Addr+s.Size {
			continue
		}
		if s.Flags&elf.SHF_WRITE != 0 {
			return nil, fmt.Errorf("%#x is in %s, which can be written", address, s.Name)
		}
		b := make([]byte, n)
		_, err := s.ReadAt(b, int64(address-s.Addr))
		return b, err
	}
	return nil, fmt.Errorf("nothing of the program is at %#x", address)
}
