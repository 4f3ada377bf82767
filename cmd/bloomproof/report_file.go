package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// reportFile is the file that the flag -report names. Until it is complete, it is a temporary file, so a failure does
// not damage an old file.
type reportFile struct {
	path string
	file *os.File
}

// newReportFile creates the temporary file for a path.
func newReportFile(path string) (*reportFile, error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return nil, &ioError{"report", err}
	}
	return &reportFile{path, file}, nil
}

// The method "put" writes the report and gives the file its final name.
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

// The method "drop" removes the temporary file if "put" was not called. With a nil receiver it does nothing.
func (f *reportFile) drop() {
	if f == nil {
		return
	}
	_ = f.file.Close()
	_ = os.Remove(f.file.Name())
}
