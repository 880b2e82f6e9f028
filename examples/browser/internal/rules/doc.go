// Package rules serves a model that decides by rules, over the chat completions
// protocol of OpenAI, on loopback: what the browser example asks when it is not
// told of another model. [Start] starts it.
//
// # The model
//
// It sees the sections of its prompt and nothing else, keeps nothing between two
// calls, and knows no page before it is shown one. As a language model does, it
// goes by what the controls are called and what stands in tables:
//
//	host        the stock, then the order, then the summary
//	warehouse   logs in, reads the table page by page, notes what is below its minimum
//	supplier    rounds up to whole packs, fills the basket, compares basket, review and
//	            receipt with that, presses the button that sends
//	files       writes the summary, and reads it again
//
// What it must know later, when the page is another, it writes into the Observation
// of its reply, and finds there, in the section history. A dialog it dismisses, but for the
// one by which a page asks once more whether to send. It never presses that button
// again when something went wrong: the order may have arrived.
// Text that gives orders means nothing to it, because no rule looks for orders.
//
// With [Options].Gullible it is the opposite: it does what the page says first, each
// thing once. A policy must then stop what the model does not.
//
// A prompt of anybody else is answered with a refusal. Package chatserver has the protocol.
package rules
