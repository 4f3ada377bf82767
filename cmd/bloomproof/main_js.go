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

// main gives a Web Worker the function bloomproofAnswer, which answers as /api of serve does: with the same commands,
// and for the same requests. The worker calls it with the part of the address after /api/ in two pieces, COMMAND and
// FLAG=VALUE&...; the result is the JSON text of bloomproof COMMAND -FLAG VALUE ... -json.
func main() {
	debug.SetGCPercent(400) // exact arithmetic makes much garbage and keeps little
	js.Global().Set("bloomproofAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return answer(args[0].String(), args[1].String())
	}))
	select {} // the functions that JavaScript calls live as long as main
}

// commands are those that a page without a server has.
func commands() []command {
	return []command{fprCommand, sizeCommand, efficiencyCommand, estimateCommand, countingCommand, growingCommand, occupancyCommand, recycleCommand, fnrCommand, likeCommand, versionCommand}
}

// answer returns the JSON text for a request.
func answer(name, query string) (text string) {
	var out bytes.Buffer
	refuse := func(err error) string {
		out.Reset()
		reportError("", true, err, &out, io.Discard)
		return out.String()
	}
	defer func() {
		if what := recover(); what != nil { // it would end the worker
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

// A browser has no files to write a report to.
func (p page) write(io.Writer) error { return errors.ErrUnsupported }

// manual is printed by the command line alone.
func manual() string { return "" }
