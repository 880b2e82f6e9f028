// Package people is about persons who are asked while agents work.
//
// A program gives its agents a [User]: a terminal, a chat, a queue. Every question goes
// through [Ask], which gives it a deadline of 60 seconds unless the caller says otherwise,
// hides the secrets that the Round knows, and shows it to interceptors first.
//
// A person who cannot answer now, because the question goes out by mail, is a User that
// returns an error wrapping fsm.ErrSuspend, such as [Later]. The run stops where it is and
// asks again with the same id when it goes on.
//
// A missing answer is no fault: [Unanswered] makes the agent's decision of it, usually FAIL.
//
// Nothing here starts a goroutine. In tests a [UserFunc] is a person.
package people
