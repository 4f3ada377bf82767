// Command bloomproof prints proven numbers about Bloom filters, and runs filters on recorded traces. See `bloomproof
// help`.
//
// Every command prints an aligned table. With -json it prints one JSON object instead. In this object, real numbers are
// decimal strings. The exit status is 0 for success, and 1 if the command ran and found a failure. It is 2 for bad
// flags or parameters, and 3 if input or output failed.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// The function "interruptible" returns a context that an interrupt cancels. If the command is still running after the
// time "patient", this function ends the program.
func interruptible() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, func() {
		stop() // a second interrupt ends the program at once
		time.Sleep(patient)
		newProgress(os.Stderr).wipe()
		os.Exit(reportError(os.Args[1], wantsJSON(os.Args[1:]), errInterrupted, os.Stdout, os.Stderr))
	})
	return ctx
}

// After an interrupt, a command may still run for the time "patient". Some commands check for the interrupt. They end
// within this time, and report how far they got. The program ends the other commands when the time is over.
const patient = 900 * time.Millisecond

// The type "command" describes one command of the program.
type command struct {
	name    string
	summary string // the description in one line
	about   string // the full description of its answer
	example string // a worked example: commands and their output
	flags   []flagSpec
	run     func(*call) (report, error)

	operands string   // the arguments after the flags and --, if the command takes such arguments
	words    []string // one of these words may be given in addition to flags
}

// The type "call" has the inputs and outputs of one run of a command.
type call struct {
	*inputs
	ctx    context.Context
	stdin  io.Reader
	stderr io.Writer // for progress
	rest   []string  // the operands, or one of the words
}

// The type "report" represents the result of a command. With -json its exported fields become the fields of the
// JSON object. The method "print" writes the report for people, with tabs between columns.
type report interface {
	print(w io.Writer)
}

// The function "run" runs the whole program and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, overview())
		return statusUsage
	}
	guess := wantsJSON(args)
	name, args := args[0], args[1:]
	fail := func(err error) int { return reportError(name, guess, err, stdout, stderr) }
	if isHelp(name) {
		text, err := help(args)
		if err != nil {
			return fail(err)
		}
		return emit(name, []byte(text), stdout, stderr)
	}
	if name == "-version" || name == "--version" {
		name = versionCommand.name
	}
	cmd, ok := find(name)
	if !ok {
		return reportError("", guess, &usageError{"command", unknown(names(), name)}, stdout, stderr)
	}
	var rest []string
	if i := slices.Index(args, "--"); cmd.operands != "" && i >= 0 {
		args, rest = args[:i], args[i+1:]
	}
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); len(cmd.words) > 0 && i >= 0 {
		if !slices.Contains(cmd.words, args[i]) {
			return fail(&usageError{"arguments", fmt.Sprintf("must be one of %s, got %s", strings.Join(cmd.words, ", "), quote(args[i]))})
		}
		args, rest = slices.Delete(slices.Clone(args), i, i+1), args[i:i+1]
	}
	in, err := parse(cmd.allFlags(), args)
	var usage *usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
		return emit(name, []byte(cmd.usage()), stdout, stderr)
	case cmd.operands != "" && errors.As(err, &usage) && usage.param == "arguments":
		return fail(&usageError{"arguments", fmt.Sprintf("must follow --, such as %s -- %s", name, cmd.operands)})
	case err != nil:
		return fail(err)
	}
	asJSON := in.boolean("json", false)
	asCSV := in.values[csvFlag.name] != nil && in.boolean(csvFlag.name, false)
	if asCSV && asJSON {
		in.fail(&usageError{csvFlag.name, "must be absent when -json is given"})
	}
	over, values := in.ranged()
	if in.err != nil {
		return fail(in.err)
	}
	if len(cmd.words) > 0 && len(rest) == 0 {
		return fail(&usageError{"arguments", "must be one of " + strings.Join(cmd.words, ", ")})
	}
	var result report
	c := call{inputs: in, ctx: ctx, stdin: stdin, stderr: stderr, rest: rest}
	if over != "" {
		result, err = cmd.runTable(c, over, values)
	} else {
		result, err = cmd.run(&c)
	}
	var partial *partialError
	if err != nil && !errors.Is(err, errFailed) && !errors.As(err, &partial) {
		return reportError(name, asJSON, err, stdout, stderr)
	}
	var out bytes.Buffer
	switch {
	case asJSON:
		if err := writeJSON(&out, result); err != nil {
			return reportError(name, true, err, stdout, stderr)
		}
	case asCSV:
		t, ok := result.(tableReport)
		if !ok {
			t = tableReport{Rows: []report{result}}
		}
		if err := t.writeCSV(&out); err != nil {
			return reportError(name, false, err, stdout, stderr)
		}
	default:
		_ = writeTable(&out, inBytes{in, result}) // writes to memory cannot fail
	}
	if status := emit(name, out.Bytes(), stdout, stderr); status != statusOK {
		return status
	}
	switch {
	case err == nil:
		return statusOK
	case partial != nil:
		return reportError(name, false, err, stdout, stderr)
	}
	return statusFailed
}

// writeTable writes a report for people, with aligned columns.
func writeTable(w io.Writer, r report) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	r.print(table)
	return table.Flush()
}

// The function "emit" writes text, which is the whole output of a command, to stdout.
func emit(name string, text []byte, stdout, stderr io.Writer) int {
	if _, err := stdout.Write(text); err != nil {
		return reportError(name, false, &ioError{"", err}, io.Discard, stderr)
	}
	return statusOK
}

func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

func names() string {
	var all []string
	for _, c := range commands() {
		all = append(all, c.name)
	}
	return strings.Join(append(all, "help"), ", ")
}
