package marked

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Text returns a [Renderer] with the arguments FILE [HEADING]: a text file of testdata, or what
// stands below its line "--- HEADING".
func Text(root string) Renderer {
	return func(args []string) (string, error) {
		if len(args) < 1 || len(args) > 2 {
			return "", errors.New("want FILE [HEADING]")
		}
		file := filepath.FromSlash(args[0])
		if filepath.Base(filepath.Dir(file)) != "testdata" || !filepath.IsLocal(file) {
			return "", fmt.Errorf("%s is not in a testdata of the repository", args[0])
		}
		raw, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return "", err
		}
		text := strings.ReplaceAll(string(raw), "\r\n", "\n")
		if len(args) == 2 {
			_, below, found := strings.Cut("\n"+text, "\n--- "+args[1]+"\n")
			if !found {
				return "", fmt.Errorf("%s has no line --- %s", args[0], args[1])
			}
			text, _, _ = strings.Cut(below, "\n--- ")
		}
		return Fence("text", text), nil
	}
}
