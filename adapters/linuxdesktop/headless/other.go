//go:build !linux

package headless

import (
	"context"
	"errors"
	"fmt"
)

func start(context.Context, Options) (*Session, error) { return nil, missing(nil) }

func missing([]string) error {
	return fmt.Errorf("headless: sessions run on Linux only: %w", errors.ErrUnsupported)
}
