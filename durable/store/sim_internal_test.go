package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"testing/fstest"
)

// simDisk is a disk that loses what was not synced. Writing changes the cache,
// Sync brings to the disk what is dirty, and a power cut leaves what is on the disk,
// with any part of what is not yet.
type simDisk struct {
	files map[string]*simFile
	small map[string][]byte // marks
	inUse int               // how many are open for writing
	ops   int               // changes, so far
	fault func(*op) error   // called before each change; nil: all works
	read  func(int64) error // called before each read; nil: all works
}

// op is a change that is about to be made.
type op struct {
	n     int // 1 for the first
	kind  string
	short int // of a write: how many of its bytes are written when it fails
}

type simFile struct {
	d       *simDisk
	cache   []byte
	dirty   []bool // what of the cache Sync has to write
	disk    []byte
	lasting bool // it is found after a power cut
}

// simLocked is a file that is open for writing.
type simLocked struct {
	*simFile
	closed bool
}

var errCrash = errors.New("the power is off")

func newSim() *simDisk { return &simDisk{files: map[string]*simFile{}} }

// step counts a change and asks whether it works.
func (d *simDisk) step(kind string) (op, error) {
	d.ops++
	o := op{n: d.ops, kind: kind}
	if d.fault == nil {
		return o, nil
	}
	err := d.fault(&o)
	return o, err
}

func (d *simDisk) open(name string) (file, error) {
	f, ok := d.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return f, nil
}

func (d *simDisk) lock(_ context.Context, name string, create bool) (lockedFile, error) {
	f, ok := d.files[name]
	if !ok {
		if !create {
			return nil, fs.ErrNotExist
		}
		if _, err := d.step("create"); err != nil {
			return nil, err
		}
		f = &simFile{d: d}
		d.files[name] = f
	}
	d.inUse++
	return &simLocked{simFile: f}, nil
}

func (d *simDisk) list() ([]string, error) { return slices.Collect(maps.Keys(d.files)), nil }

func (d *simDisk) stat(name string) (fs.FileInfo, error) {
	f, ok := d.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return fstest.MapFS{name: {Data: f.cache}}.Stat(name)
}

func (d *simDisk) syncFolder() error {
	if _, err := d.step("folder"); err != nil {
		return err
	}
	for _, f := range d.files {
		f.lasting = true
	}
	return nil
}

func (d *simDisk) path(name string) string { return name }

// replace writes a small file, which is whole or not there after a power cut, as it happens.
func (d *simDisk) replace(name string, data []byte) error {
	if d.small == nil {
		d.small = map[string][]byte{}
	}
	d.small[name] = slices.Clone(data)
	return nil
}

func (d *simDisk) readAll(name string) ([]byte, error) {
	data, there := d.small[name]
	if !there {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func (f *simFile) ReadAt(p []byte, at int64) (int, error) {
	if f.d.read != nil {
		if err := f.d.read(at); err != nil {
			return 0, err
		}
	}
	if at >= int64(len(f.cache)) {
		return 0, io.EOF
	}
	n := copy(p, f.cache[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *simLocked) WriteAt(p []byte, at int64) (int, error) {
	f.mine()
	o, err := f.d.step("write")
	if err != nil {
		p = p[:min(o.short, len(p))]
	}
	f.grow(at + int64(len(p)))
	copy(f.cache[at:], p)
	for i := range p {
		f.dirty[at+int64(i)] = true
	}
	return len(p), err
}

func (f *simFile) grow(size int64) {
	if more := size - int64(len(f.cache)); more > 0 {
		f.cache = append(f.cache, make([]byte, more)...)
		f.dirty = append(f.dirty, make([]bool, more)...)
	}
}

func (f *simLocked) Truncate(size int64) error {
	f.mine()
	if _, err := f.d.step("truncate"); err != nil {
		return err
	}
	f.grow(size)
	f.cache, f.dirty = f.cache[:size], f.dirty[:size]
	return nil
}

// Sync takes pages for written also when it fails, as systems do.
func (f *simLocked) Sync() error {
	f.mine()
	_, err := f.d.step("sync")
	if errors.Is(err, errCrash) {
		return err // it has not even begun
	}
	if err == nil {
		f.disk = f.persist(len(f.cache), func(int) bool { return true })
	}
	clear(f.dirty)
	return err
}

func (f *simFile) Close() error { return nil }

func (f *simLocked) Close() error {
	if f.closed {
		panic("closed twice")
	}
	f.closed = true
	f.d.inUse--
	return nil
}

// mine sees to it that who changes the file has its lock.
func (f *simLocked) mine() {
	if f.closed {
		panic("used without the lock")
	}
}

func (f *simFile) size() (int64, error) { return int64(len(f.cache)), nil }

// persist is the disk with some of the dirty sectors, and a size.
func (f *simFile) persist(size int, sector func(int) bool) []byte {
	disk := append(slices.Clone(f.disk[:min(size, len(f.disk))]), make([]byte, max(0, size-len(f.disk)))...)
	for i := range min(size, len(f.cache)) {
		if f.dirty[i] && sector(i/sectorSize) {
			disk[i] = f.cache[i]
		}
	}
	return disk
}

// after is the disk after a power cut. With nothing, what was not synced is gone;
// with everything, all had been written in time; else chance decides for each sector.
func (d *simDisk) after(seed uint64) *simDisk {
	const nothing, everything = 0, 1
	chance := rand.New(rand.NewPCG(seed, 5))
	next := newSim()
	for name, f := range d.files {
		keep := f.lasting
		var disk []byte
		switch seed {
		case nothing:
			disk = slices.Clone(f.disk)
		case everything:
			keep = true
			disk = f.persist(len(f.cache), func(int) bool { return true })
		default:
			keep = keep || chance.IntN(2) == 0
			sizes := []int{len(f.disk), len(f.cache)}
			if len(f.cache) > len(f.disk) {
				sizes = append(sizes, min(len(f.cache), (len(f.disk)/sectorSize+1+chance.IntN(4))*sectorSize))
			}
			there := map[int]bool{}
			disk = f.persist(sizes[chance.IntN(len(sizes))], func(sector int) bool {
				if _, ok := there[sector]; !ok {
					there[sector] = chance.IntN(2) == 0
				}
				return there[sector]
			})
		}
		if keep {
			next.files[name] = &simFile{d: next, cache: slices.Clone(disk), dirty: make([]bool, len(disk)), disk: disk, lasting: true}
		}
	}
	return next
}
