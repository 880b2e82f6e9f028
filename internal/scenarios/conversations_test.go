package scenarios_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each plays the conversations of its topic: testdata/19_*.txt, testdata/plan_*.txt.

func TestScenario01_Conversations(t *testing.T) { conversations(t) }
func TestScenario03_Conversations(t *testing.T) { conversations(t) }
func TestScenario04_Conversations(t *testing.T) { conversations(t) }
func TestScenario05_Conversations(t *testing.T) { conversations(t) }
func TestScenario07_Conversations(t *testing.T) { conversations(t) }
func TestScenario12_Conversations(t *testing.T) { conversations(t) }
func TestScenario13_Conversations(t *testing.T) { conversations(t) }
func TestScenario14_Conversations(t *testing.T) { conversations(t) }
func TestScenario16_Conversations(t *testing.T) { conversations(t) }
func TestScenario17_Conversations(t *testing.T) { conversations(t) }
func TestScenario18_Conversations(t *testing.T) { conversations(t) }
func TestScenario19_Conversations(t *testing.T) { conversations(t) }
func TestScenario20_Conversations(t *testing.T) { conversations(t) }
func TestScenario21_Conversations(t *testing.T) { conversations(t) }
func TestScenario22_Conversations(t *testing.T) { conversations(t) }
func TestScenario24_Conversations(t *testing.T) { conversations(t) }
func TestScenario26_Conversations(t *testing.T) { conversations(t) }
func TestScenario29_Conversations(t *testing.T) { conversations(t) }
func TestScenario30_Conversations(t *testing.T) { conversations(t) }
func TestScenario34_Conversations(t *testing.T) { conversations(t) }
func TestScenario35_Conversations(t *testing.T) { conversations(t) }
func TestScenario38_Conversations(t *testing.T) { conversations(t) }
func TestScenario39_Conversations(t *testing.T) { conversations(t) }
func TestScenario45_Conversations(t *testing.T) { conversations(t) }
func TestScenario46_Conversations(t *testing.T) { conversations(t) }
func TestScenario47_Conversations(t *testing.T) { conversations(t) }
func TestScenario51_Conversations(t *testing.T) { conversations(t) }
func TestPlan_Conversations(t *testing.T)       { conversations(t) }
func TestEndings_Conversations(t *testing.T)    { conversations(t) }

// A text that no test plays fails here.
func TestEveryConversationIsPlayed(t *testing.T) {
	sources, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	played := ""
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		played += string(text)
	}
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, path := range paths {
		name := filepath.Base(path)
		topic := regexp.MustCompile(`^[^_]*`).FindString(name)
		byTopic := regexp.MustCompile(`(?i)func Test(Scenario)?` + topic + `_Conversations\(`)
		byName := regexp.MustCompile(`converse\(t, "` + name[:len(name)-len(".txt")] + `"`)
		assert.True(t, byTopic.MatchString(played) || byName.MatchString(played), "nobody plays %s", path)
	}
}
