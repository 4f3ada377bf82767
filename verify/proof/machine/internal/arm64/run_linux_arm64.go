package arm64

import (
	"encoding/binary"
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// Runs reports whether this program can test instructions on its processor.
const Runs = true

// A state has the contents of the registers for the instruction that is executed. The assembly file run_linux_arm64.s
// saves some registers of the Go code that calls it. The field "caller" stores these registers.
type state struct {
	registers
	caller [5]uint64
	taken  uint64
}

func run(s *state, code uintptr)
func back() // used only in assembly
func address() uintptr
func flush(line uintptr)

var _ = back

// The type "native" is the processor that this program runs on. The memory in the field "page" has three parts. The
// first is a page for code, and the second is a page for a state. The third is the memory that an instruction may
// access.
type native struct{ page []byte }

const (
	stateAt = 4096
	areaAt  = 8192
	takenAt = 32 // the offset in the code
)

var theProcessor = sync.OnceValues(func() (native, error) {
	page, err := syscall.Mmap(-1, 0, areaAt+areaSize, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	return native{page}, err
})

var running sync.Mutex

// Compare executes a single instruction in two ways: on this processor, and by the table. It does this for several
// random initial states. Their number is the argument "states". It returns an error at the first difference in a
// register, a flag or the memory.
func Compare(in Instruction, states int, seed uint64) error {
	p, err := theProcessor()
	if err != nil {
		return err
	}
	running.Lock()
	defer running.Unlock()
	// Until the comparison ends, no signal handler may run on this thread. At that time the registers hold the
	// instruction's values, and not the values that Go needs.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return compare(p, in, states, seed)
}

func (p native) start() uint64 { return uint64(uintptr(unsafe.Pointer(&p.page[0]))) }

func (p native) memory() ([]byte, uint64) { return p.page[areaAt:], p.start() + areaAt }

func (p native) write(in Instruction) (at, taken uint64) {
	const load, save, branch = 0xf9400000, 0xf9000000, 0xd61f0020
	literal := func(at, of, reg int) uint32 { return 0x58000000 | uint32(of-at)<<5 | uint32(reg) }
	code := []uint32{
		load | 240/8<<10 | 30, // LDR X30, [X0, #240]
		load,                  // LDR X0, [X0]
		in.branchBy(takenAt/4 - 2),
		0xd51bd040,        // MSR TPIDR_EL0, X0
		literal(4, 16, 0), // LDR X0, the state
		save | 1<<10 | 1,  // STR X1, [X0, #8]
		literal(6, 18, 1), // LDR X1, back
		branch,            // BR X1
		0xd51bd040,        // the target of a branch
		literal(9, 16, 0),
		save | 1<<10 | 1,
		0xd2800021,           // MOV X1, #1
		save | 824/8<<10 | 1, // STR X1, [X0, #824]
		literal(13, 18, 1),
		branch, 0,
	}
	for i, w := range code {
		binary.LittleEndian.PutUint32(p.page[4*i:], w)
	}
	binary.LittleEndian.PutUint64(p.page[64:], p.start()+stateAt)
	binary.LittleEndian.PutUint64(p.page[72:], uint64(address()))
	for i := uint64(0); i < 80; i += 16 {
		flush(uintptr(p.start() + i))
	}
	return p.start() + 8, p.start() + takenAt
}

// branchBy changes the distance of a branch to the given number of words. It returns the new instruction word. For an
// instruction other than a branch, it returns the word unchanged.
func (in Instruction) branchBy(words uint32) uint32 {
	switch {
	case in.Name == "b":
		return in.Word&^0x3ffffff | words
	case !IsBranch(in):
		return in.Word
	case in.Name[0] == 't':
		return in.Word&^(0x3fff<<5) | words<<5
	}
	return in.Word&^(0x7ffff<<5) | words<<5
}

func (p native) execute(from registers) (registers, bool) {
	s := (*state)(unsafe.Pointer(&p.page[stateAt]))
	s.registers, s.taken = from, 0
	all, old := ^uint64(0), uint64(0)
	mask := func(set, old *uint64) {
		syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, 2, uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(old)), 8, 0, 0)
	}
	mask(&all, &old)
	run(s, uintptr(p.start()))
	mask(&old, nil)
	return s.registers, s.taken == 1
}
