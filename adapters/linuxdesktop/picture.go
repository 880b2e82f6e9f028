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
	screen, err := v.x.Screen(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.picture(ctx, screen, a.SavePath)
}

// windowPicture is capture_window_screenshot. A window that others may cover is raised first: the picture
// is what is on the screen.
func (v *view) windowPicture(ctx context.Context, a arguments) (desktop.Result, error) {
	if err := v.take(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer v.give()
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	main, family, err := v.members(s)
	if err != nil {
		return desktop.Result{}, err
	}
	top := family[0]
	if m, ok := modal(family, main.ID); ok {
		top = m
	}
	if err := v.front(ctx, top); err != nil {
		return desktop.Result{}, err
	}
	v.saw(family)
	return v.picture(ctx, place(family), a.SavePath)
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
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{
		Image: &desktop.Image{MediaType: "image/png", Data: out.Bytes()},
	}}}, nil
}
