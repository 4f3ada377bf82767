package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkProgram is the time from the call of the program to its whole answer, the start of the process included.
// "help" computes nothing: its time is that of the start. cpu-ms/op is processor time, which other programs disturb
// less.
//
//	go test ./cmd/bloomproof -run '^$' -bench Program
func BenchmarkProgram(b *testing.B) {
	path := filepath.Join(b.TempDir(), "bloomproof")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for _, args := range []string{
		"help",
		"fpr -m 1e6 -k 7 -n 1e5",
		"fpr -m 1e10 -k 7 -n 1e9",
		"fpr -like parquet -m 9681664 -n 1e6",
		"size -n 1e5 -fpr 0.01",
		"size -n 1e9 -fpr 1e-6",
		"size -n 1e9 -fpr 1e-6 -block 512",
		"recycle -m 65536 -target 0.001",
	} {
		b.Run(strings.ReplaceAll(args, " ", "_"), func(b *testing.B) {
			var cpu float64
			for b.Loop() {
				var answer bytes.Buffer
				program := exec.Command(path, strings.Fields(args)...)
				program.Stdout, program.Stderr = &answer, os.Stderr
				if err := program.Run(); err != nil {
					b.Fatal(err)
				}
				if answer.Len() == 0 {
					b.Fatal("no answer")
				}
				cpu += (program.ProcessState.UserTime() + program.ProcessState.SystemTime()).Seconds()
			}
			b.ReportMetric(1000*cpu/float64(b.N), "cpu-ms/op")
		})
	}
}
