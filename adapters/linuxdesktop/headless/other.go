//go:build !linux

package headless

import (
	"context"
	"errors"
	"fmt"
)

func start(ctx context.Context, _ Options) (*Session, error) { return nil, missing(ctx, nil) }

func missing(context.Context, []string) error {
	return fmt.Errorf("headless: sessions run on Linux only: %w", errors.ErrUnsupported)
}
