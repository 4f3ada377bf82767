//go:build !js

package main

import "os"

func main() {
	os.Exit(run(interruptible(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The function "commands" returns the commands of the program. The calculator in a browser has fewer commands; see
// main_js.go.
func commands() []command {
	return []command{fprCommand, sizeCommand, efficiencyCommand, estimateCommand, countingCommand, growingCommand, occupancyCommand, recycleCommand, fnrCommand, simulateCommand, replayCommand, claimsCommand, conformCommand, likeCommand, cpuCommand, selftestCommand, serveCommand, versionCommand, completionCommand()}
}
