package silicon

//lint:file-ignore U1000 run_linux_amd64.s uses the variables

import (
	"encoding/binary"
	"fmt"
	"sync"
	"syscall"
	"unsafe"

	"github.com/klauspost/cpuid/v2"
)

// The type "registers" holds the contents of the processor's registers, in the layout that run_linux_amd64.s uses.
type registers struct {
	GP    [16]uint64
	Flags uint64
	MXCSR uint64
	K     [8]uint64
	V     [32][8]uint64
}

// These are the variables that run_linux_amd64.s reads and writes. An instruction may change every register, so no
// register can point to these variables. This is why they are global.
var (
	before, after       registers
	start, stack, frame uint64
	taken, wide         uint8
	running             sync.Mutex
)

func backs() (done, taken uintptr)
func run512()
func run256()

// The function "area" maps memory. In this mapping, the page of the instruction comes first. The constant areaSize is
// the size in bytes of the memory that an instruction may access. The constant areaAt is the offset of this memory in
// the mapping. On each side of this memory are additional bytes, for addresses with large offsets from the stack
// pointer. The constant "room" is the number of bytes on one side.
const (
	areaSize = 4096
	room     = 1 << 16
	areaAt   = areaSize + room
)

// The function "area" maps memory and returns it. The mapped memory begins with the page of the instruction. Then comes
// the memory that the instruction may access, with additional memory on both sides.
var area = sync.OnceValues(func() ([]byte, error) {
	return syscall.Mmap(-1, 0, areaAt+areaSize+room, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC, syscall.MAP_ANON|syscall.MAP_PRIVATE)
})

// Runs reports whether this processor has a feature. The name of the feature is written as in the line Requires of an
// assembly file.
func Runs(feature string) bool {
	id, known := map[string]cpuid.FeatureID{
		"": cpuid.CMOV, "popcnt": cpuid.POPCNT, "avx": cpuid.AVX, "avx2": cpuid.AVX2, "bmi2": cpuid.BMI2,
		"avx512f": cpuid.AVX512F, "avx512dq": cpuid.AVX512DQ, "avx512bw": cpuid.AVX512BW, "avx512vl": cpuid.AVX512VL,
		"avx512vpopcntdq": cpuid.AVX512VPOPCNTDQ, "avx512ifma": cpuid.AVX512IFMA,
	}[feature]
	// AVX2 is always required. The vector registers are saved with the width of AVX2. If the processor has AVX-512,
	// they are saved with the width of AVX-512. The 64-bit masks are then saved too.
	return known && cpuid.CPU.Supports(id, cpuid.AVX2)
}

// CPU returns the name of the processor that the program runs on.
func CPU() string {
	return fmt.Sprintf("%s, family %d, model %d, stepping %d", cpuid.CPU.BrandName, cpuid.CPU.Family, cpuid.CPU.Model, cpuid.CPU.Stepping)
}

// The function "execute" runs the bytes of one instruction on the processor. If the instruction is a jump, its target
// must lie 16 bytes beyond the end of the instruction.
func execute(code []byte, in registers) (out registers, jumped bool, err error) {
	page, err := area()
	if err != nil {
		return out, false, err
	}
	running.Lock()
	defer running.Unlock()
	done, branch := backs()
	n := copy(page, code)
	for _, to := range []uintptr{done, branch} {
		n += copy(page[n:], []byte{0xff, 0x25, 0, 0, 0, 0}) // JMP [RIP+0]
		binary.LittleEndian.PutUint64(page[n:], uint64(to))
		n += 8
		n += copy(page[n:], []byte{0x90, 0x90})
	}
	start = uint64(uintptr(unsafe.Pointer(&page[0])))
	before, taken = in, 0
	if wide = 0; cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW) {
		wide = 1
		run512()
	} else {
		run256()
	}
	return after, taken == 1, nil
}
