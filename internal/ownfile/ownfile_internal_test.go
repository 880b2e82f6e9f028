//go:build unix

package ownfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file is opened if it is a regular one of this user. No call waits for another process.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("own"), []byte("text"), 0o600))
	require.NoError(t, os.Mkdir(at("folder"), 0o700))
	require.NoError(t, syscall.Mkfifo(at("fifo"), 0o600))
	require.NoError(t, os.Symlink(at("own"), at("link")))
	require.NoError(t, os.Symlink(at("outside"), at("dangling")))
	require.NoError(t, os.Symlink("/dev/zero", at("endless")))
	for _, flags := range []int{os.O_RDONLY, os.O_RDWR, os.O_RDWR | os.O_CREATE} {
		f, err := Open(at("own"), flags)
		require.NoError(t, err)
		text := make([]byte, 4)
		_, err = f.Read(text)
		require.NoError(t, err)
		assert.Equal(t, "text", string(text))
		require.NoError(t, f.Close())
		for _, name := range []string{"folder", "fifo", "link", "dangling", "endless"} {
			_, err := Open(at(name), flags)
			require.ErrorIs(t, err, ErrForeign, name)
			require.ErrorContains(t, err, at(name))
			require.ErrorIs(t, Check(at(name), 0), ErrForeign, name)
		}
		require.NoFileExists(t, at("outside"))
	}
	require.NoError(t, os.WriteFile(at("several"), []byte("text"), 0o600))
	require.NoError(t, os.Link(at("several"), at("names")))
	for _, flags := range []int{os.O_RDONLY, os.O_RDWR, os.O_RDWR | os.O_CREATE} {
		_, err := Open(at("names"), flags)
		require.ErrorIs(t, err, ErrForeign)
		require.ErrorContains(t, err, at("names"))
	}
	require.NoError(t, os.Remove(at("several")))
	f, err := Open(at("names"), os.O_RDWR)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = Open(at("none"), os.O_RDONLY)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, Check(at("none"), 0), fs.ErrNotExist)
	require.NoError(t, Check(at("own"), 0))
	require.NoError(t, Check(at("folder"), fs.ModeDir))
	require.ErrorIs(t, Check(at("own"), fs.ModeDir), ErrForeign)

	defer func(was func() int) { user = was }(user)
	user = func() int { return os.Geteuid() + 1 }
	_, err = Open(at("own"), os.O_RDWR|os.O_CREATE)
	require.ErrorIs(t, err, ErrForeign)
	require.ErrorIs(t, Check(at("own"), 0), ErrForeign)
}

// Every user can rename the files of a folder to which every user may write, unless it has the sticky bit.
func TestPublicFolder(t *testing.T) {
	for mode, ok := range map[os.FileMode]bool{0o700: true, 0o770: true, 0o777: false, 0o702: false, 0o777 | os.ModeSticky: true} {
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, mode))
		info, err := os.Stat(dir)
		require.NoError(t, err)
		if err := Folder(dir, info); ok {
			require.NoError(t, err, mode)
		} else {
			require.ErrorContains(t, err, dir, mode)
		}
	}
}

// Most files that are opened in vain are not there: nobody looks for a link then.
func TestOpenOfNoFile(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	look := testing.AllocsPerRun(10, func() { _, _ = os.Lstat(none) })
	open := testing.AllocsPerRun(10, func() { _, _ = Open(none, os.O_RDONLY) })
	assert.LessOrEqual(t, open, look)
}
