package table

// Find chooses among tables, as [Choose] does, and reads the one that the
// request means. Errors: [ErrNoTables], [*NotFoundError].
func Find(request string, tables []Source) (*Data, error) {
	summaries := make([]Summary, len(tables))
	for i, s := range tables {
		summaries[i] = Summarize(s)
	}
	i, words, err := Choose(request, summaries)
	if err != nil {
		return nil, err
	}
	d, err := Read(tables[i])
	if err != nil {
		return nil, err
	}
	d.Shared = words
	return d, nil
}
