package bench

import (
	"reflect"
	"unsafe"
)

// hugePage is the size of a huge page of amd64, and of arm64 with pages of 4 KiB.
const hugePage = 2 << 20

// Memory returns the largest slice that f holds, as words. This slice has the bits of the filter, whatever the type of
// its elements is. A comparison uses Memory to set half of the bits of a large filter at once, because adding keys
// would take minutes for a slow peer.
func Memory(f any) []uint64 {
	var best []uint64
	seen := map[unsafe.Pointer]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.Kind() == reflect.Pointer && !v.IsNil() {
				if seen[v.UnsafePointer()] {
					return
				}
				seen[v.UnsafePointer()] = true
			}
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice:
			size := uintptr(v.Len()) * v.Type().Elem().Size()
			if int(size/8) > len(best) {
				best = unsafe.Slice((*uint64)(v.UnsafePointer()), size/8)
			}
		}
	}
	walk(reflect.ValueOf(f))
	return best
}
