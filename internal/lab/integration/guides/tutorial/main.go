package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	you := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		fmt.Print("reply: ")
		if !in.Scan() {
			return nil, io.ErrUnexpectedEOF
		}
		return &llm.Response{Text: in.Text()}, nil
	})
	host, err := newHost(you)
	if err != nil {
		log.Fatal(err)
	}
	st, err := store.Files("journals")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	s, err := durable.Open(ctx, host, st, "otters", nil)
	if err != nil {
		log.Fatal(err)
	}
	res, err := s.Continue(ctx, "name my otters page")
	fmt.Println(res.Answer, err)
}
