// Package guides has the Examples of docs/guides/adapters.md: adapters in their
// smallest use, put together with the rest. It is a module of its own because it
// needs several of them, and has nothing but tests.
package guides
