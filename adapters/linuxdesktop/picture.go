package linuxdesktop

import (
	"bytes"
	"context"
	"image"
	"image/png"

	"github.com/agentfsm/agentfsm/desktop"
)

// desktopPicture is capture_desktop_screenshot.
func (v *view) desktopPicture(ctx context.Context, a arguments) (desktop.Result, error) {
	all, err := v.x.Screen(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.picture(ctx, all, a.SavePath)
}

// windowPicture is capture_window_screenshot. A window that others may cover is raised first: the picture is what is on the
// screen.
func (v *view) windowPicture(ctx context.Context, a arguments) (desktop.Result, error) {
	if err := v.lock(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer v.unlock()
	g, err := v.group(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	top := g.family[0]
	if g.dialog != nil {
		top = *g.dialog
	}
	if err := v.front(ctx, top); err != nil {
		return desktop.Result{}, err
	}
	v.saw(g.family)
	return v.picture(ctx, g.place(), a.SavePath)
}

func (v *view) picture(ctx context.Context, r image.Rectangle, savePath string) (desktop.Result, error) {
	if savePath != "" {
		return desktop.Result{}, refuse("the picture cannot be kept in a file")
	}
	img, err := v.x.Picture(ctx, r)
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
