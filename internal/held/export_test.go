package held

// Len is how many values there are, those among them that nobody has any more and that are not
// dropped yet.
func (m *Map[K, V]) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.values)
}
