package x11

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/jezek/xgb/xproto"
)

// Screen returns the place of the whole screen.
func (d *Display) Screen(ctx context.Context) (r image.Rectangle, err error) {
	err = d.do(ctx, func() error {
		g, err := xproto.GetGeometry(d.x, xproto.Drawable(d.root)).Reply()
		if err == nil {
			r = image.Rect(0, 0, int(g.Width), int(g.Height))
		}
		return err
	})
	return r, err
}

// Picture returns the pixels of a part of the screen: what a person sees there. What is
// beyond the edge of the screen is left out.
func (d *Display) Picture(ctx context.Context, r image.Rectangle) (*image.RGBA, error) {
	screen, err := d.Screen(ctx)
	if err != nil {
		return nil, err
	}
	if r = r.Intersect(screen); r.Empty() {
		return nil, errors.New("it is not on the screen")
	}
	var pixels []byte
	err = d.do(ctx, func() error {
		reply, err := xproto.GetImage(d.x, xproto.ImageFormatZPixmap, xproto.Drawable(d.root),
			int16(r.Min.X), int16(r.Min.Y), uint16(r.Dx()), uint16(r.Dy()), ^uint32(0)).Reply()
		if err != nil {
			return err
		}
		if reply.Depth != 24 && reply.Depth != 32 {
			return fmt.Errorf("the screen has %d bits for a colour, and needs 24", reply.Depth)
		}
		pixels = reply.Data
		return nil
	})
	if err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	if len(pixels) < len(img.Pix) {
		return nil, errors.New("the server sent only a part of the picture")
	}
	for i := 0; i < len(img.Pix); i += 4 { // blue, green, red, nothing
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = pixels[i+2], pixels[i+1], pixels[i], 255
	}
	return img, nil
}
