package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Two processes resume one run. One of them learns that it is too late.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "journals")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	first, err := store.Files(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(first.Append(ctx, "order 12", 0, []byte(`{"kind":"round","request":"make a chart"}`)))
	fmt.Println(first.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`), []byte(`{"kind":"intent"}`)))

	second, err := store.Files(dir) // as another process does
	if err != nil {
		fmt.Println(err)
		return
	}
	err = second.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`))
	if conflict, ok := errors.AsType[*store.ConflictError](err); ok {
		fmt.Println("too late: the last record is", conflict.Last)
	}
	for entry, err := range second.Read(ctx, "order 12", 1) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d %s\n", entry.Seq, entry.Data)
	}
	// Output:
	// <nil>
	// <nil>
	// too late: the last record is 3
	// 1 {"kind":"round","request":"make a chart"}
	// 2 {"kind":"call"}
	// 3 {"kind":"intent"}
}

// A file that is damaged is read as far as it is whole.
func ExampleDamageError() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "journals")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	st, err := store.Files(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, text := range []string{"one", "two", "three"} {
		if err := st.Append(ctx, "run", int64(i), []byte(text)); err != nil {
			fmt.Println(err)
		}
	}

	text, _ := os.ReadFile(st.File("run"))
	_ = os.WriteFile(st.File("run"), bytes.Replace(text, []byte("two"), []byte("tw0"), 1), 0o600)

	for entry, err := range st.Read(ctx, "run", 1) {
		if damage, ok := errors.AsType[*store.DamageError](err); ok {
			fmt.Printf("record %d, byte %d: %s\n", damage.Seq, damage.Offset, damage.Reason)
			return
		}
		fmt.Printf("%d %s\n", entry.Seq, entry.Data)
	}
	// Output:
	// 1 one
	// record 2, byte 101: its data does not have its checksum
}
