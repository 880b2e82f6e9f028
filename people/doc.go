// Package people asks persons while agents work.
//
// A program gives its agents a [User]: a terminal, a chat, a queue. Every question goes
// through [Ask], which gives it a deadline of 60 seconds unless the caller says otherwise,
// hides the secrets that the Round knows, and shows it to interceptors first.
//
// When a person answers later, for instance by mail, the User returns an error that wraps
// fsm.ErrSuspend; [Later] is such a User. The run stops where it is. When it goes on, it asks
// the same question with the same id.
//
// A missing answer is no fault: [Unanswered] turns it into a decision of the agent, usually FAIL.
//
// Nothing here starts a goroutine. In tests a [UserFunc] plays the person.
package people
