package table

// Find chooses among tables, as [Choose] does and with its errors, and reads the one
// that the request means.
func Find(request string, tables []Source) (*Data, error) {
	Prove(tables)
	summaries := make([]Summary, len(tables))
	for i, s := range tables {
		summaries[i] = Summarize(s)
	}
	choice, err := Choose(request, summaries)
	if err != nil {
		return nil, err
	}
	d, err := Read(tables[choice.Index])
	if err != nil {
		return nil, err
	}
	d.Shared = choice.Words
	if choice.Columns != nil {
		d.Drawn = choice.Columns
	}
	return d, nil
}
