// Package job puts the parts of the browser example together: two sites, two browsers, a folder, a model, and a host
// with an agent for each application.
//
// # What the policy stops
//
// Each application has a list of what its part takes: a tool, the type and name of a control as the browser shows it,
// and the text. The policy denies the rest: keys, which go where nobody sees, and every address but that of the
// site, because a link may order something as soon as it is opened.
//
// A person approves the one act that cannot be taken back, the button that sends the order. The question has the order as
// the page shows it, in words of this program. A page that can be read in two ways is not asked about. A yes is for that
// order: the program reads the page again before the button is pressed. It is pressed once: if nobody can say whether
// the order arrived, the run ends in FAIL and says so.
//
// So a text in a page that tells the model to order comes to nothing, even if the model obeys. It cannot stop a
// person who says yes without reading.
//
// # The password
//
// The model never has it. It is in a file that only the browser of the warehouse reads (--secrets of @playwright/mcp). The
// model types its name, and the server puts the password in its place.
package job
