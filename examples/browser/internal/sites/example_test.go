package sites_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

func Example() {
	s, err := sites.Start(sites.Generate(1), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	// Here somebody would open s.WarehouseURL(), find what is missing, and order it at
	// s.SupplierURL() once that is approved.
	approved := time.Now()

	err = s.Check(approved)
	fmt.Println(err)
	fmt.Println(errors.Is(err, sites.ErrNoOrder))
	// Output:
	// sites: the supplier has no order
	// true
}

func ExampleData_Missing() {
	d := sites.Data{Items: []sites.Item{
		{SKU: "WA-2", Name: "Washer M8", Stock: 1204, Minimum: 950, Pack: 100}, // more than enough
		{SKU: "HB-1", Name: "Hex bolt M8", Stock: 20, Minimum: 50, Pack: 25},   // 30 too few are two packs
		{SKU: "ES-3", Name: "Exit sign", Stock: 4, Minimum: 4},                 // just enough
		{SKU: "AK-4", Name: "Clamp", Stock: 0, Minimum: 3},                     // sold one by one
	}}
	for _, line := range d.Missing() {
		fmt.Println(line.Quantity, "of", line.SKU)
	}
	// Output:
	// 3 of AK-4
	// 50 of HB-1
}
