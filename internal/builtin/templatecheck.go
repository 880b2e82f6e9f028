package builtin

import (
	"fmt"
	"reflect"
	"strings"
	"text/template/parse"
)

// fieldChecker finds fields that are not there in the branches of a template, too: an
// execution only meets those that it takes.
type fieldChecker struct {
	root reflect.Type
	err  error
}

// list checks nodes; dot says that the dot is the root there.
func (c *fieldChecker) list(l *parse.ListNode, dot bool) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		c.node(n, dot)
	}
}

func (c *fieldChecker) node(n parse.Node, dot bool) {
	switch n := n.(type) {
	case *parse.ActionNode:
		c.pipe(n.Pipe, dot)
	case *parse.IfNode:
		c.branch(&n.BranchNode, dot, dot)
	case *parse.RangeNode:
		c.branch(&n.BranchNode, dot, false)
	case *parse.WithNode:
		c.branch(&n.BranchNode, dot, false)
	case *parse.TemplateNode:
		c.pipe(n.Pipe, dot)
	case *parse.PipeNode:
		c.pipe(n, dot)
	case *parse.FieldNode:
		if dot {
			c.fields(n.Ident)
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			c.fields(n.Ident[1:])
		}
	}
}

func (c *fieldChecker) branch(b *parse.BranchNode, dot, inside bool) {
	c.pipe(b.Pipe, dot)
	c.list(b.List, inside)
	c.list(b.ElseList, dot)
}

func (c *fieldChecker) pipe(p *parse.PipeNode, dot bool) {
	if p == nil {
		return
	}
	for _, cmd := range p.Cmds {
		for _, arg := range cmd.Args {
			c.node(arg, dot)
		}
	}
}

// fields follows names such as Window.Title.
func (c *fieldChecker) fields(names []string) {
	typ := c.root
	for _, name := range names {
		if m, ok := typ.MethodByName(name); ok {
			typ = m.Type.Out(0)
			continue
		}
		if typ.Kind() != reflect.Struct {
			return // a map, or what only an execution knows
		}
		f, ok := typ.FieldByName(name)
		if !ok || !f.IsExported() {
			if c.err == nil {
				c.err = fmt.Errorf("there is no field %s, only %s", name, strings.Join(fieldNames(typ), ", "))
			}
			return
		}
		typ = f.Type
	}
}

func fieldNames(typ reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(typ) {
		if f.IsExported() && !f.Anonymous {
			names = append(names, f.Name)
		}
	}
	for m := range typ.Methods() {
		names = append(names, m.Name)
	}
	return names
}
