// Command interleave explores ConcurrentFilter and ConcurrentRecycling of package kernel. For up to three goroutines
// and arrays of a few words, it executes the synchronising operations of the goroutines in every order:
//
//	go run ./verify/proof/interleave         small cases
//	go run ./verify/proof/interleave -long   all cases
//	go run ./verify/proof/interleave -wrong  wrong variants of the code; the command fails if one is not found.
//
// The explored code is the code that ships. The command rewrites the packages kernel and kernel/asm. It uses the
// portable code of these packages and no assembly. The command "go build -overlay" builds a program with the rewritten
// packages. The rewritten code uses package interleave instead of sync and sync/atomic, and interleave schedules the
// goroutines. Each plain access to memory becomes a call that looks for data races. Go's memory model permits certain
// executions. The comment of package interleave shows that each of them is equivalent to an explored execution. A
// concurrent filter spreads goroutines over several locks or counters, called lanes. The function "place" chooses the
// lane that a goroutine prefers. The function "parts" returns the number of lanes. Only these two functions are
// replaced. In the rewritten code, they return numbers that the case under exploration defines.
//
// The folder internal/explored defines the explored cases. The code in this folder checks that each execution agrees
// with the comments of the two types. The exploration must also find faults that were made on purpose. The file
// variants.go has wrong variants of the code. The tests of package kernel have filters with faults. The exploration
// must find all these faults.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	long := flag.Bool("long", false, "explore the large cases too")
	only := flag.String("only", "", "explore the cases whose names contain `TEXT`")
	most := flag.Int("most", 0, "stop each case after `N` schedules, and say so; 0 for never")
	wrong := flag.Bool("wrong", false, "explore wrong variants of the code; each must be found")
	flag.Parse()
	args := []string{"-only", *only, "-most", fmt.Sprint(*most)}
	if *long {
		args = append(args, "-long")
	}
	if *wrong {
		args = append(args, "-wrong", strings.Join(variantNames(), "|"))
	}
	if err := explore(".", func(cmd *exec.Cmd) error {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	}, args...); err != nil {
		fmt.Fprintln(os.Stderr, "interleave:", err)
		os.Exit(1)
	}
}

func variantNames() (all []string) {
	for _, v := range variants {
		all = append(all, v.what+"="+v.by)
	}
	return all
}

// The function "explore" builds the program of internal/explored with a rewritten package kernel. It then calls the
// function "run" with a command that executes this program.
func explore(root string, run func(*exec.Cmd) error, args ...string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "interleave")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	replace, err := overlay(root, dir)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", append([]string{"run", "-tags", "purego", "-overlay", replace, harness}, args...)...)
	cmd.Dir = root
	return run(cmd)
}
