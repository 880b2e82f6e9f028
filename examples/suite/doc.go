/*
Suite lets agents do thirteen tasks in real programs, on a screen that nobody sees, and says how many of them are done:

	suite                      # the rules of this program play the model
	suite -model qwen3 -v      # your own endpoint: OPENAI_BASE_URL and OPENAI_API_KEY
	suite -tasks sum,sort

Whether a task is done is read from files, and from what a page was sent, not from windows. Two tasks cannot be done: agents
must end them in FAIL.
*/
package main
