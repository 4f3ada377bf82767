package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"syscall/js"
)

// The function "main" defines the function bloomproofAnswer for a Web Worker. The command "serve" has a server with the
// address /api. The function bloomproofAnswer offers the same commands as this address, and answers the same requests.
// The worker passes it two strings: the name of a command, and a query such as FLAG=VALUE&FLAG=VALUE. These strings are
// the two parts of an address after /api/. The result is the JSON text that bloomproof COMMAND -FLAG VALUE ... -json
// prints.
func main() {
	debug.SetGCPercent(400) // exact arithmetic allocates much memory and keeps little of it
	js.Global().Set("bloomproofAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return answer(args[0].String(), args[1].String())
	}))
	select {} // the functions that JavaScript calls live as long as main
}

// The function "commands" returns the commands of the calculator page, which has no server.
func commands() []command {
	return []command{fprCommand, sizeCommand, efficiencyCommand, estimateCommand, countingCommand, growingCommand, occupancyCommand, recycleCommand, fnrCommand, likeCommand, versionCommand}
}

// The function "answer" returns the JSON text that answers a request.
func answer(name, query string) (text string) {
	var out bytes.Buffer
	refuse := func(err error) string {
		out.Reset()
		reportError("", true, err, &out, io.Discard)
		return out.String()
	}
	defer func() {
		if what := recover(); what != nil { // an unrecovered panic would end the worker
			text = refuse(fmt.Errorf("the command failed: %v", what))
		}
	}()
	args, err := argsOf(name, query)
	if err != nil {
		return refuse(err)
	}
	run(context.Background(), args, strings.NewReader(""), &out, io.Discard)
	return out.String()
}

// The method "write" fails, because a browser has no files to write a report to.
func (p page) write(io.Writer) error { return errors.ErrUnsupported }

// This build has no manual, so the function "manual" returns an empty text. Only the command-line program prints the
// manual.
func manual() string { return "" }
