package sites

// product is what an Item is made of.
type product struct {
	name, unit, prefix string
	packs              []int
}

// always are the products that each Data has: long names, letters beyond ASCII, and
// characters that mean something in HTML.
var always = []product{
	{"Müllbeutel, reißfest, 120 l, für Behälter nach EN 840, mit Zugband, je Rolle einzeln gebändert, blau (Sondergröße)", "pcs", "RB", []int{10, 25}},
	{"Dübel Ø 8 × 40 mm", "pcs", "DU", []int{50, 100}},
	{"O-ring 12 < Ø < 14 mm & seal \"B\"", "pcs", "OR", []int{20}},
	{"Anschlußklemme, grün/gelb", "pcs", "AK", []int{5}},
}

// others are the products that a Data may have.
var others = []product{
	{"Hex bolt M8 × 60", "pcs", "HB", []int{25, 50}},
	{"Hex bolt M8 × 80", "pcs", "HB", []int{25, 50}},
	{"Hex nut M8", "pcs", "HN", []int{100}},
	{"Washer M8", "pcs", "WA", []int{100, 200}},
	{"Flügelmutter M6", "pcs", "FM", []int{12}},
	{"Schloßschraube M10 × 100", "pcs", "SS", []int{10}},
	{"Wood screw 4 × 40", "pcs", "WS", []int{200}},
	{"Cable tie 200 mm, black", "pcs", "CT", []int{100}},
	{"Cable duct 40 × 60, white", "m", "CD", []int{2}},
	{"Copper cable 3 × 1.5 mm²", "m", "CC", []int{25, 50}},
	{"Heat-shrink tube 6 mm", "m", "HT", []int{10}},
	{"Junction box IP65", "pcs", "JB", []int{0, 6}},
	{"LED tube 120 cm", "pcs", "LT", []int{4}},
	{"Emergency exit sign", "pcs", "ES", []int{0}},
	{"Safety goggles", "pcs", "SG", []int{0, 10}},
	{"Ear plugs, pair", "pcs", "EP", []int{50}},
	{"Work gloves, size 9", "pcs", "WG", []int{12}},
	{"Work gloves, size 10", "pcs", "WG", []int{12}},
	{"Safety helmet, white", "pcs", "SH", []int{0, 5}},
	{"High-visibility vest", "pcs", "HV", []int{0, 10}},
	{"First-aid kit", "pcs", "FA", []int{0}},
	{"Pallet, 1200 × 800", "pcs", "PA", []int{0, 15}},
	{"Stretch film 500 mm", "pcs", "SF", []int{6}},
	{"Packing tape, brown", "pcs", "PT", []int{6, 36}},
	{"Cardboard box, 400 × 300 × 200", "pcs", "CB", []int{25}},
	{"Label roll 100 × 150", "pcs", "LR", []int{12}},
	{"Spiralbohrer-Satz 1–13 mm", "pcs", "SB", []int{0}},
	{"Saw blade 190 mm", "pcs", "BL", []int{0, 5}},
	{"Sanding disc P120", "pcs", "SD", []int{50}},
	{"Cutting disc 125 mm", "pcs", "CU", []int{25}},
	{"Hydraulic oil HLP 46", "l", "HO", []int{20}},
	{"Grease cartridge 400 g", "pcs", "GC", []int{12, 24}},
	{"Chain oil", "l", "CO", []int{5}},
	{"Bremsenreiniger-Spray", "pcs", "BR", []int{12}},
	{"Silicone, transparent", "pcs", "SI", []int{12}},
	{"Gewindedichtfaden", "pcs", "GF", []int{0, 8}},
	{"Pipe clamp ¾\"", "pcs", "PC", []int{25}},
	{"Ball valve DN 20", "pcs", "BV", []int{0, 4}},
	{"Air filter 592 × 592", "pcs", "AF", []int{2, 4}},
	{"V-belt SPA 1250", "pcs", "VB", []int{0}},
	{"Ball bearing 6204-2RS", "pcs", "BB", []int{10}},
	{"Road salt", "kg", "RS", []int{25}},
	{"Absorbent granulate", "kg", "AG", []int{20}},
	{"Paper towels, 2-ply", "pcs", "TW", []int{16, 32}},
	{"Hand cleaner", "l", "HC", []int{3}},
}

// remarks are what colleagues wrote into the last column. Numbers in them are not
// those of the columns.
var remarks = []string{
	"Usual supplier, comes on Thursdays",
	"Counted last spring: 12",
	"Shelf B-17, behind the door",
	"Keep dry",
	"Box marked \"< 5 kg\" & \"fragile\"",
	"Ask Jürgen for the key",
	"Old stock first",
	"2 boxes stand in the yard, they are in the count",
	"Price went up by 4 %",
	"Replaces the model of 2019",
}
