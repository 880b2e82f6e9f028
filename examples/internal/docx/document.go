package docx

// Document is the main text of a file.
type Document struct {
	Blocks []Block `json:"blocks"` // headings, paragraphs, captions and tables in reading order
	Tables []Table `json:"tables"` // all of them, those inside cells too; Tables[i].Number is i+1
}

// Kind says what a [Block] is.
type Kind string

// The kinds of blocks.
const (
	KindHeading   Kind = "heading"
	KindParagraph Kind = "paragraph"
	KindCaption   Kind = "caption"
	KindTable     Kind = "table"
)

// Block is one piece of the text outside of tables, or a table. Paragraphs
// without text are left out.
type Block struct {
	Kind  Kind   `json:"kind"`
	Level int    `json:"level,omitempty"` // of a heading, 1 to 9; 0: the title
	Text  string `json:"text,omitempty"`
	Table int    `json:"table,omitempty"` // number of the table
}

// Table is one table as a rectangle of texts.
type Table struct {
	Number   int      `json:"number"`             // from 1, in reading order
	Parent   int      `json:"parent,omitempty"`   // number of the table that it stands in
	Heading  string   `json:"heading,omitempty"`  // the nearest heading above
	Sections []string `json:"sections,omitempty"` // the headings around that one, the outermost first
	Caption  string   `json:"caption,omitempty"`
	Above    string   `json:"above,omitempty"` // the short paragraph directly above, or one that ends in a colon
	// HeaderRows is the number of first rows that the document marks as header
	// rows. Many documents mark none though they have one.
	HeaderRows int        `json:"header_rows,omitempty"`
	Rows       [][]string `json:"rows"`
	Merges     []Merge    `json:"merges,omitempty"` // by row, then column
	Unclear    []Unclear  `json:"unclear,omitempty"`
	// Languages are those of the texts with digits, such as "de-CH en-US".
	Languages string `json:"languages,omitempty"`
}

// Unclear is a cell in which a person sees more than its text in Rows says.
type Unclear struct {
	Row int    `json:"row"`
	Col int    `json:"col"`
	Why string `json:"why"` // such as "a sign of the font Wingdings"
}

// Merge is a cell that covers more than one place. Row and Col, from 0, are
// where its text is.
type Merge struct {
	Row  int `json:"row"`
	Col  int `json:"col"`
	Rows int `json:"rows"`
	Cols int `json:"cols"`
}

// Headings returns the headings in reading order.
func (d *Document) Headings() []Block { return d.only(KindHeading) }

// Paragraphs returns the paragraphs and captions in reading order.
func (d *Document) Paragraphs() []Block { return d.only(KindParagraph, KindCaption) }

func (d *Document) only(kinds ...Kind) []Block {
	found := []Block{}
	for _, b := range d.Blocks {
		for _, k := range kinds {
			if b.Kind == k {
				found = append(found, b)
			}
		}
	}
	return found
}
