//go:build !gc || purego || !amd64

package asmtest

var hashKernels []hashKernel
