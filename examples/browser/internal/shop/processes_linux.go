package shop

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// processes lists those of the machine that have not ended.
func processes() map[int]Process {
	list := map[int]Process{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, ok := process(pid); ok {
			list[pid] = p
		}
	}
	return list
}

// process reads what /proc says, as proc(5) describes it. What ended and was not
// waited for does not count.
func process(pid int) (Process, bool) {
	folder := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(folder + "/stat")
	if err != nil {
		return Process{}, false
	}
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return Process{}, false
	}
	fields := strings.Fields(string(stat[end+1:])) // from the state on, which is field 3
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return Process{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return Process{}, false
	}
	line, _ := os.ReadFile(folder + "/cmdline") // it may end meanwhile
	return Process{
		PID: pid, Parent: parent, Name: string(stat[open+1 : end]), Begun: fields[19],
		Command: strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))),
	}, true
}
