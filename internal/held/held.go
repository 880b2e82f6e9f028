// Package held finds what somebody has already, by what it was made from.
package held

import (
	"runtime"
	"sync"
	"weak"
)

// Map has values that others hold, such as the template of all agents with one prompt. It holds
// none itself: a value that nobody has any more is gone. The zero Map is empty, and it is safe
// for concurrent use.
type Map[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]weak.Pointer[V]
}

// Get returns the value of key, which fresh makes where nobody has it. Two that make one at the
// same time get the same.
func (m *Map[K, V]) Get(key K, fresh func() (*V, error)) (*V, error) {
	if v := m.known(key); v != nil {
		return v, nil
	}
	v, err := fresh() // without the lock: it may take long
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if first := m.values[key].Value(); first != nil {
		return first, nil
	}
	if m.values == nil {
		m.values = map[K]weak.Pointer[V]{}
	}
	m.values[key] = weak.Make(v)
	runtime.AddCleanup(v, m.drop, key)
	return v, nil
}

func (m *Map[K, V]) known(key K) *V {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.values[key].Value()
}

func (m *Map[K, V]) drop(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values[key].Value() == nil { // else somebody made it anew
		delete(m.values, key)
	}
}
