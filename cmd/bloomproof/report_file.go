package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// reportFile is the file of -report. It is a temporary file until it is complete, so that a failure leaves the old
// file.
type reportFile struct {
	path string
	file *os.File
}

// newReportFile begins the file of a path.
func newReportFile(path string) (*reportFile, error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return nil, &ioError{"report", err}
	}
	return &reportFile{path, file}, nil
}

// put writes the report and gives the file its name.
func (f *reportFile) put(write func(io.Writer) error) error {
	err := f.file.Chmod(0o644)
	if err == nil {
		err = write(f.file)
	}
	if err == nil {
		err = f.file.Sync()
	}
	if err = errors.Join(err, f.file.Close()); err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		return &ioError{"report", err}
	}
	return nil
}

// drop removes a file that was not put. With a nil receiver it does nothing.
func (f *reportFile) drop() {
	if f == nil {
		return
	}
	_ = f.file.Close()
	_ = os.Remove(f.file.Name())
}
