package loosejson

// FindWork is Find, and how much it looked at.
func FindWork(text string) (int, error) {
	f := newFinder(text)
	_, err := f.find()
	return f.work, err
}

// ParseWork is Parse, and how much it looked at.
func ParseWork(text string) (int, error) {
	p := parser{text: text}
	_, err := p.whole()
	return p.work, err
}
