package builtin

import "fmt"

const (
	maxQuestions = 20      // of one reply: as many as a person may be asked in one step
	maxQuestion  = 4 << 10 // bytes of one
)

// CheckQuestions says what is wrong with the questions of a reply: a person would have
// to answer them one after another, and they are in every later prompt.
func CheckQuestions(questions []string) error {
	if n := len(questions); n > maxQuestions {
		return fmt.Errorf("there are %d Questions; ask at most %d at once", n, maxQuestions)
	}
	for i, q := range questions {
		if len(q) > maxQuestion {
			return fmt.Errorf("question %d has %d bytes; it can have %d", i+1, len(q), maxQuestion)
		}
	}
	return nil
}
