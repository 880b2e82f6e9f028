// Package xlsxtest reads .xlsx files for tests. It shares no code with the programs that write them.
package xlsxtest
