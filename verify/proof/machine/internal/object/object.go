// Package object takes the bytes of functions out of a linked program.
package object

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Assembly is the import path of the package of the kernels.
const Assembly = "github.com/bloomproof/bloomproof/kernel/asm"

// File is a linked program.
type File struct {
	Path   string
	GOARCH string
	elf    *elf.File
	funcs  map[string]elf.Symbol
}

// Link builds the test program of kernel/asm, which has every kernel of a platform, into
// a folder and opens it. root is the module's folder.
func Link(root, dir, goarch string) (*File, error) {
	path := filepath.Join(dir, "asm-"+goarch)
	cmd := exec.Command("go", "test", "-c", "-o", path, "./kernel/asm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+goarch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return Open(path, goarch)
}

// Open reads a linked program.
func Open(path, goarch string) (*File, error) {
	e, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	symbols, err := e.Symbols()
	if err != nil {
		return nil, err
	}
	f := &File{path, goarch, e, map[string]elf.Symbol{}}
	for _, s := range symbols {
		name, ours := strings.CutPrefix(s.Name, Assembly+".")
		if name, asm := strings.CutSuffix(name, ".abi0"); ours && asm && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			f.funcs[name] = s
		}
	}
	if len(f.funcs) == 0 {
		return nil, fmt.Errorf("%s has no function of %s in assembly", path, Assembly)
	}
	return f, nil
}

// Functions returns the names of the functions in assembly, sorted.
func (f *File) Functions() []string {
	var out []string
	for name := range f.funcs {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Code is a function of a program.
type Code struct {
	Name    string
	Address uint64
	Bytes   []byte
	Symbol  string // its name in the program
}

// Function returns the bytes of a function.
func (f *File) Function(name string) (Code, error) {
	s, ok := f.funcs[name]
	if !ok {
		return Code{}, fmt.Errorf("%s has no function %s", f.Path, name)
	}
	b, err := f.bytes(s.Value, int(s.Size), elf.SHF_EXECINSTR)
	return Code{name, s.Value, b, s.Name}, err
}

// ReadOnly returns bytes of the program that nothing can change.
func (f *File) ReadOnly(address uint64, n int) ([]byte, error) { return f.bytes(address, n, 0) }

// bytes returns what a section without writes that has the flags holds at an address.
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
