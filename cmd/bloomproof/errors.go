package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// These are the exit statuses of the program.
const (
	statusOK     = 0
	statusFailed = 1 // the command ran and found a failure
	statusUsage  = 2 // bad flags or parameters
	statusIO     = 3 // input or output failed
)

// errFailed is returned together with a report that describes a failure.
var errFailed = errors.New("failed")

// usageError is the error of a bad flag or parameter. A *bloomproof.ParamError is treated in the same way.
type usageError struct {
	param   string // the name of a flag without its dash, or "command", or "arguments"
	message string
}

// Error returns the message, which begins with the name of the flag.
func (e *usageError) Error() string { return e.param + ": " + e.message }

// ioError is a failure of input or output. The field "param" is the flag that named the file, or "".
type ioError struct {
	param string
	err   error
}

// Error returns the error message of the failed operation.
func (e *ioError) Error() string { return e.err.Error() }
func (e *ioError) Unwrap() error { return e.err }

// partialError is the error of a command that was interrupted. It is returned together with a report about the work
// that was done before.
type partialError struct{ error }

// Unwrap returns the error of the interrupt.
func (e *partialError) Unwrap() error { return e.error }

var errInterrupted = &ioError{"", errors.New("interrupted")}

// outOfRange converts the errors of four cases: an answer does not exist, costs too much, is out of range, or lacks
// precision. The result names the flag that the user should change. If err names no parameter, the result names the
// flag in the argument "name".
func outOfRange(name string, err error) error {
	if value := (*bloomproof.ParamError)(nil); errors.As(err, &value) {
		return value
	}
	for _, beyond := range []error{bloomproof.ErrUndefined, bloomproof.ErrTooCostly, bloomproof.ErrRange, exact.ErrPrecision} {
		if errors.Is(err, beyond) {
			return &usageError{name, "must be within what can be computed: " + err.Error()}
		}
	}
	return err
}

func missing(name string) error { return &usageError{name, "must be given"} }

func unexpected(arg string) error {
	return &usageError{"arguments", "must be none besides flags, got " + quote(arg)}
}

// reportError prints err as one line on stderr, and returns the exit status. If asJSON is true, it also prints err as a
// JSON object on stdout. An empty name stands for the program itself.
func reportError(name string, asJSON bool, err error, stdout, stderr io.Writer) int {
	var (
		param, message string
		status         = statusUsage
		usage          *usageError
		value          *bloomproof.ParamError
		inout          *ioError
	)
	switch {
	case errors.As(err, &usage):
		param, message = usage.param, usage.message
	case errors.As(err, &value):
		param, message = value.Param, messageOf(value)
	case errors.As(err, &inout):
		param, message, status = inout.param, inout.err.Error(), statusIO
	default:
		message, status = err.Error(), statusIO
	}
	message = oneLine(message)
	line := "bloomproof"
	if name != "" {
		line += " " + oneLine(name)
	}
	switch param {
	case "":
		line += ": " + message
	case "command", "arguments":
		line += ": " + param + ": " + message
	default:
		line += ": -" + oneLine(param) + ": " + message
	}
	fmt.Fprintln(stderr, line)
	if asJSON {
		var object struct {
			Error struct {
				Parameter string `json:"parameter"`
				Message   string `json:"message"`
			} `json:"error"`
		}
		object.Error.Parameter, object.Error.Message = oneLine(param), message
		if err := writeJSON(stdout, object); err != nil {
			return statusIO
		}
	}
	return status
}

// The function "quote" returns s in quotation marks. If s is long, it is shortened.
func quote(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}

// oneLine returns s without the characters that would break the line or hide parts of the text.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// messageOf returns the message of an error. It leaves out the name of the parameter.
func messageOf(err *bloomproof.ParamError) string {
	return strings.TrimPrefix(err.Error(), "bloomproof: "+err.Param+" ")
}
