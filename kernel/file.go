package kernel

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"

	"github.com/bloomproof/bloomproof"
)

// saveStep is called before each step of SaveFile. If it returns an error, SaveFile fails with that error. The variable
// exists for tests.
var saveStep = func(step string) error { return nil }

// SaveFile writes the snapshot of a filter to the file at path. The filter is a Filter, CountingFilter, RecyclingFilter
// or GrowingFilter, or any other io.WriterTo. If SaveFile succeeds, the file has the whole new snapshot. SaveFile may
// return an error, or the program or the machine may stop before SaveFile returns. The file then has either the
// complete new snapshot or its complete old contents. For this purpose SaveFile writes a temporary file in the same
// directory and flushes it to the disk. Then it renames the file and flushes the directory. Windows cannot flush
// directories. On Windows, a power failure shortly after SaveFile has returned may therefore restore the old file.
//
// An existing file keeps its permissions. A new file has the permissions 0666, without the bits that the umask removes.
// If path is a symbolic link, SaveFile writes the file to which the link points. After a crash the temporary file,
// named .NAME-*.tmp, may still exist. It can be removed.
// Cost: the cost of WriteTo plus two flushes. WriteTo makes no second copy of the filter.
// Errors: *bloomproof.ParamError if path names a directory or anything else that is not a regular file. SaveFile also
// returns errors of the file system, which name the path, and errors of the filter's WriteTo.
func SaveFile(path string, filter io.WriterTo) error {
	if err := saveFile(path, filter); err != nil {
		return fmt.Errorf("bloomproof: save %s: %w", path, err)
	}
	return nil
}

func saveFile(path string, filter io.WriterTo) (err error) {
	mode := fs.FileMode(0)
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		path = whole
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return &bloomproof.ParamError{Param: "path", Value: path, Want: "that of a file, or of none yet"}
		}
		mode = info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	} else if path, err = followLinks(path); err != nil {
		return err
	}
	if err := saveStep("create"); err != nil {
		return err
	}
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	file, err := createTemp(dir, name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()           // a second Close returns an error and does nothing else
			_ = os.Remove(file.Name()) // after the rename no file has this name
		}
	}()
	step := func(name string, do func() error) {
		if err == nil {
			err = saveStep(name)
		}
		if err == nil {
			err = do()
		}
	}
	step("mode", func() error {
		if mode == 0 {
			return nil
		}
		return file.Chmod(mode)
	})
	step("write", func() error {
		_, err := filter.WriteTo(file)
		return err
	})
	step("flush", file.Sync)
	step("close", file.Close)
	step("rename", func() error { return os.Rename(file.Name(), path) })
	step("directory", func() error { return flushDirectory(dir) })
	return err
}

// mostLinks is the largest number of symbolic links that Linux follows in one path.
const mostLinks = 40

// followLinks follows a chain of symbolic links and returns the path at its end. There need not be a file at this path.
func followLinks(path string) (string, error) {
	for range mostLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", &bloomproof.ParamError{Param: "path", Value: path, Want: fmt.Sprintf("that of a file, by at most %d symbolic links", mostLinks)}
}

// createTemp makes a new temporary file in the directory dir. Later the temporary file replaces the file with the given
// name. Unlike with os.CreateTemp, the umask determines the permissions of the file.
func createTemp(dir, name string) (file *os.File, err error) {
	for range 100 { // there are 2^64 possible names, so the first is almost surely free
		file, err = os.OpenFile(filepath.Join(dir, fmt.Sprintf(".%s-%x.tmp", name, rand.Uint64())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
	return nil, err
}

// flushDirectory flushes the list of files of a directory to the disk.
func flushDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// LoadFile reads the snapshot in the file at path. Like the method UnmarshalBinary, it replaces the filter by the
// filter in the snapshot. The file must consist of exactly one snapshot of a filter of the same type. The filter may be
// a zero value, unless the snapshot was written by a filter with a secret key. In that case the filter must have been
// made with the same key.
// Memory: during the call, both the whole file and the new filter are in memory. If the filter takes up much of the
// host's memory, use ReadFrom or MapFilter instead. MapFilter does not copy the filter.
// Errors: *bloomproof.ParamError if path names something other than a regular file. LoadFile also returns errors of the
// file system. If UnmarshalBinary returns an error, such as ErrCorrupt, LoadFile returns it too. After an error the
// filter is unchanged.
func LoadFile(path string, filter encoding.BinaryUnmarshaler) error {
	if err := loadFile(path, filter); err != nil {
		return fmt.Errorf("bloomproof: load %s: %w", path, err)
	}
	return nil
}

func loadFile(path string, filter encoding.BinaryUnmarshaler) error {
	info, err := os.Stat(path) // before os.Open, because opening a pipe would wait for a writer
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &bloomproof.ParamError{Param: "path", Value: path, Want: "that of a file"}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return filter.UnmarshalBinary(data)
}
