package task_test

import (
	"encoding/json"
	"maps"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/round"
)

// folder is a file system with some tasks.
func folder(texts map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range texts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

const whole = `{
	"name": "note", "instruction": "Write it into $DIR.", "needs": ["mousepad"], "files": {"a.txt": "A\n"}, "page": "<form>",
	"opens": [["mousepad", "$DIR/a.txt"]], "ends": "FAIL", "expect": [{"file": "a.txt", "text": "A"}]
}`

func TestRead(t *testing.T) {
	const short = `{"name": "less", "instruction": "Do it.", "expect": [{"absent": "b.txt"}]}`
	list, err := task.Read(folder(map[string]string{"tasks/2.json": short, "tasks/1.json": whole, "tasks/notes.md": "no task", "3.json": "elsewhere"}))
	require.NoError(t, err)
	a := "A"
	assert.Equal(t, []task.Task{
		{
			Name: "note", Instruction: "Write it into $DIR.", Needs: []string{"mousepad"}, Files: map[string]string{"a.txt": "A\n"}, Page: "<form>",
			Opens: [][]string{{"mousepad", "$DIR/a.txt"}}, Ends: round.Failed, Expect: []task.Expect{{File: "a.txt", Text: &a}},
		},
		{Name: "less", Instruction: "Do it.", Ends: round.Finished, Expect: []task.Expect{{Absent: "b.txt"}}},
	}, list)
}

// with is the whole task with other members; nil: without that one.
func with(t testing.TB, members map[string]any) string {
	t.Helper()
	var all map[string]any
	require.NoError(t, json.Unmarshal([]byte(whole), &all))
	maps.Copy(all, members)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	raw, err := json.Marshal(all)
	require.NoError(t, err)
	return string(raw)
}

func TestReadRefuses(t *testing.T) {
	type m = map[string]any
	expect := func(e m) string { return with(t, m{"expect": []m{{"absent": "x"}, e}}) }
	const missing, one = "a name, an instruction or what is expected is missing", "expectation 2: it names "
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":               {`{"name"`, "unexpected EOF"},
		"something behind":      {whole + `{}`, "behind the task"},
		"a bracket behind":      {whole + `}`, "behind the task"},
		"unknown field":         {with(t, m{"expects": 1}), `unknown field "expects"`},
		"another type":          {with(t, m{"needs": "mousepad"}), "cannot unmarshal string"},
		"no name":               {with(t, m{"name": nil}), missing},
		"empty name":            {with(t, m{"name": ""}), missing},
		"no instruction":        {with(t, m{"instruction": nil}), missing},
		"nothing expected":      {with(t, m{"expect": nil}), missing},
		"an empty list":         {with(t, m{"expect": []m{}}), missing},
		"another end":           {with(t, m{"ends": "FAILED"}), "it ends in FAILED"},
		"no program":            {with(t, m{"opens": [][]string{{"thunar"}, {}}}), "a program without a name"},
		"a file outside":        {with(t, m{"files": m{"../x": ""}}), "the file ../x is not in the folder"},
		"a file of the root":    {with(t, m{"files": m{"/x": ""}}), "the file /x is not in the folder"},
		"unknown kind":          {expect(m{"video": "x"}), `unknown field "video"`},
		"no kind":               {expect(m{}), one + "0 of file"},
		"texts of nothing":      {expect(m{"contains": []string{"x"}}), one + "0 of file"},
		"two kinds":             {expect(m{"file": "x", "absent": "y", "text": ""}), one + "2 of file"},
		"nothing of a file":     {expect(m{"file": "x"}), "it has 0 of text"},
		"two things of a file":  {expect(m{"file": "x", "text": "", "lacks": []string{"y"}}), "it has 2 of text"},
		"nothing of a PDF":      {expect(m{"pdf": "x"}), "nothing of the text of the PDF"},
		"a cell of a PDF":       {expect(m{"pdf": "x", "contains": []string{"y"}, "cell": "A1"}), "only a file has"},
		"texts of a folder":     {expect(m{"folder": "x", "contains": []string{"y"}}), "only a file has"},
		"a value without cell":  {expect(m{"file": "x", "text": "", "value": "1"}), "no cell"},
		"a formula of a folder": {expect(m{"folder": "x", "formula": "SUM"}), "no cell"},
		"no such cell":          {expect(m{"file": "x", "cell": "5B"}), `expectation 2: cannot convert cell "5B"`},
		"a look outside":        {expect(m{"absent": "a/../../x"}), "a/../../x is not in the folder"},
		"sent without a page":   {with(t, m{"page": nil, "expect": []m{{"sent": m{"a": "b"}}}}), "expectation 1: without a page"},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := task.Read(folder(map[string]string{"tasks/a.json": c.text}))
			require.ErrorContains(t, err, c.says)
			assert.ErrorContains(t, err, "task: tasks/a.json: ")
			assert.Empty(t, list)
		})
	}
}

// An end that is empty is that of a task without one.
func TestReadEnds(t *testing.T) {
	for ends, want := range map[any]round.Outcome{nil: round.Finished, "": round.Finished, "FINISH": round.Finished, "FAIL": round.Failed} {
		list, err := task.Read(folder(map[string]string{"tasks/a.json": with(t, map[string]any{"ends": ends})}))
		require.NoError(t, err)
		assert.Equal(t, want, list[0].Ends, "%v", ends)
	}
}

func TestReadTwice(t *testing.T) {
	_, err := task.Read(folder(map[string]string{"tasks/a.json": whole, "tasks/b.json": whole}))
	require.EqualError(t, err, "task: tasks/b.json: tasks/a.json has a task of the name note, too")
}

func TestReadNothing(t *testing.T) {
	_, err := task.Read(folder(map[string]string{"a.json": whole}))
	require.EqualError(t, err, "task: there is no tasks/*.json")

	_, err = task.Read(fstest.MapFS{"tasks/a.json/x": &fstest.MapFile{}}) // a folder
	require.ErrorContains(t, err, "task: ")
}
