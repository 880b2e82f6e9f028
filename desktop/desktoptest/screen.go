package desktoptest

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"

	"github.com/agentfsm/agentfsm/desktop"
)

func captureDesktop(d *Desktop, _ *window, _ Call) (any, error) {
	seen := []any{d.windows()}
	for _, app := range d.apps {
		if app.shows() {
			seen = append(seen, app.window.controls)
		}
	}
	return picture(seen...)
}

func captureWindow(d *Desktop, w *window, _ Call) (any, error) {
	var seen []any
	for _, o := range d.withOwned(w) {
		seen = append(seen, o.id, o.title, o.controls)
	}
	return picture(seen...)
}

// picture paints sixteen squares whose colours come from what is seen: two
// pictures are equal when nothing has changed, and practically only then.
func picture(seen ...any) (*desktop.Image, error) {
	data, err := json.Marshal(seen)
	if err != nil {
		return nil, err
	}
	h := fnv.New128a()
	h.Write(data)
	sum := h.Sum(nil)
	const side, square = 4, 8
	img := image.NewRGBA(image.Rect(0, 0, side*square, side*square))
	for y := range side * square {
		for x := range side * square {
			c := sum[y/square*side+x/square]
			img.SetRGBA(x, y, color.RGBA{R: c, G: c << 3, B: c << 6, A: 0xff})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return &desktop.Image{MediaType: "image/png", Data: b.Bytes()}, nil
}
