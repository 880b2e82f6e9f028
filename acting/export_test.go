package acting

// Remember is remember.
var Remember = remember
