// Package atspi is a client of AT-SPI2, the accessibility tree of Linux desktops, over D-Bus.
//
//	c, err := atspi.Dial(ctx, bus, 0)
//	...
//	defer c.Close()
//	programs, err := c.Children(ctx, atspi.Desktop)
//	name, err := c.Name(ctx, programs[0])
//
// A program answers these calls in its main loop, about 5,000 in a second. One that hangs
// does not answer at all, and the bus does not say so: each call has a deadline. [WithBudget] bounds how many calls one look makes.
//
// Some objects have two billion children: never call Children before ChildCount.
//
// The interfaces are those of https://gitlab.gnome.org/GNOME/at-spi2-core (xml folder).
package atspi
