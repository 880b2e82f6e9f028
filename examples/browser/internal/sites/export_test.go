package sites

import "net/http"

// Handlers are both sites without a network, at the hosts warehouse and supplier.
func Handlers(data Data, opts *Options) (s *Sites, warehouse, supplier http.Handler, err error) {
	s, err = assemble(data, opts)
	if err != nil {
		return nil, nil, nil, err
	}
	s.place("warehouse", "supplier")
	return s, s.warehouse.outer, s.supplier.outer, nil
}

// Show and Parse write and read numbers.
var (
	Show  = show
	Parse = parse
)

// Paginate returns where each page begins and ends.
func Paginate(n int) [][2]int {
	var pages [][2]int
	for _, p := range paginate(n) {
		pages = append(pages, [2]int{p.from, p.to})
	}
	return pages
}
