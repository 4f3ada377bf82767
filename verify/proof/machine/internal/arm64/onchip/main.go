// Command onchip checks the table of package arm64, which defines the effects of instructions. It executes single
// instructions on the processor on which it runs. Then it compares their effects with the table. Each input line
// describes an instruction by its address, its machine word and its assembly text. It stops at the first difference.
//
//	GOARCH=arm64 go run -exec qemu-aarch64-static ./verify/proof/machine/internal/arm64/onchip -states 1000 <list
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
)

func main() {
	states := flag.Int("states", 1000, "from how many states an instruction runs")
	seed := flag.Uint64("seed", 1, "of the states")
	flag.Parse()
	lines := bufio.NewScanner(os.Stdin)
	for n := uint64(0); lines.Scan(); n++ {
		var in arm64.Instruction
		f := strings.SplitN(lines.Text(), " ", 3)
		if len(f) == 3 {
			in.Text = f[2]
			_, err := fmt.Sscanf(f[0]+" "+f[1], "%x %x", &in.Address, &in.Word)
			if err == nil {
				err = in.Parse()
			}
			if err == nil {
				err = arm64.Compare(in, *states, *seed+n)
			}
			if err == nil {
				continue
			}
			fmt.Fprintln(os.Stderr, in.Form()+": "+err.Error())
		}
		fmt.Fprintf(os.Stderr, "line %d: %q\n", n+1, lines.Text())
		os.Exit(1)
	}
	fmt.Println("compared")
}
