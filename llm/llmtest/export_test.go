package llmtest

type MissError = missError

const RecordVariable = recordVariable

var TimesAndIDs = timesAndIDs
