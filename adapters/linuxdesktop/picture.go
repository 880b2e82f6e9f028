package linuxdesktop

import (
	"bytes"
	"context"
	"image"
	"image/png"

	"github.com/agentfsm/agentfsm/desktop"
)

// desktopPicture is capture_desktop_screenshot.
func (c *call) desktopPicture(ctx context.Context) (desktop.Result, error) {
	all, err := c.x.Screen(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	return c.picture(ctx, all)
}

// windowPicture is capture_window_screenshot. A window that others may cover is raised first: the picture is what is on the
// screen.
func (c *call) windowPicture(ctx context.Context) (desktop.Result, error) {
	if err := c.lock(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer c.unlock()
	g, err := c.groupNow(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if err := c.front(ctx, g.usable()[0]); err != nil {
		return desktop.Result{}, err
	}
	c.saw(g.family)
	return c.picture(ctx, g.place())
}

func (c *call) picture(ctx context.Context, r image.Rectangle) (desktop.Result, error) {
	if c.args.SavePath != "" {
		return desktop.Result{}, refuse("the picture cannot be kept in a file")
	}
	img, err := c.x.Picture(ctx, r)
	if err != nil {
		return desktop.Result{}, err
	}
	var out bytes.Buffer
	fast := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := fast.Encode(&out, img); err != nil {
		return desktop.Result{}, err
	}
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: out.Bytes()}}}}, nil
}
