package shop

import (
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// PasswordName is what the browser of the warehouse knows the password by.
const PasswordName = passwordName

// Assemble makes a World of parts that a test brings along, and starts nothing but
// the model. out is the folder for the summary.
func Assemble(cfg Config, data sites.Data, s *sites.Sites, warehouse, supplier, files desktop.Desktop, out string) (*World, error) {
	w := &World{cfg: cfg, data: data, sites: s, shop: supplier, out: out}
	if err := w.chooseModel(); err != nil {
		return nil, err
	}
	return w, w.arrange(warehouse, files)
}

// The policies of the three applications, the supplier's without its button.
func AtWarehouse(address, user string) policies.Func { return atWarehouse(address, user).judge }
func AtSupplier(address, reference string) policies.Func {
	return atSupplier(address, reference).judge
}
func InFolder(file string) (policies.Func, error) { return inFolder(file) }

// Sending is the policy of the supplier with its button, who is asked, and who sees
// what is executed.
func Sending(
	shop desktop.Desktop, user people.User, rest policies.Func, reference string,
) (policies.Func, people.User, func(desktop.Desktop) desktop.Desktop) {
	s := &sender{shop: shop, user: user, rest: rest, reference: reference}
	return s.judge, s, s.watch
}

// Family is the processes of a world.
type Family struct{ family }

// NewFamily knows processes by a folder in their command lines.
func NewFamily(mark string) *Family { return &Family{family{marks: []string{mark}}} }

// Left are those that have not ended.
func (f *Family) Left() []Process { return f.left() }

// Kill ends all that are left.
func (f *Family) Kill() {
	for _, p := range f.left() {
		p.kill()
	}
}

// Alive reports whether a process has not ended.
func Alive(p Process) bool { return p.alive() }

// Folder is where the world has what nobody keeps.
func (w *World) Folder() string { return w.folder }

// CheckSummary compares the file of a report with its order.
func CheckSummary(r Report, data sites.Data) error { return r.checkSummary(data) }
