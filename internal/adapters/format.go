package adapters

import "net/http"

// FormatRefusal says whether a failure is about the format that a reply was asked for in.
type FormatRefusal int

// What it may be about.
const (
	FormatTaken   FormatRefusal = iota // something else
	FormatSchema                       // this schema
	FormatReply                        // what the model made of the schema
	FormatUnknown                      // any schema
	ChoiceRefused                      // that the model must call a tool
	ToolsRefused                       // the tools
	CacheRefused                       // that it is told what to cache
)

// MayRefuseFormat reports whether its status is one that servers have for a request with
// a field that they do not take.
func (f *Failure) MayRefuseFormat() bool {
	switch f.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	}
	return false
}
