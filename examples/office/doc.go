/*
Office takes a table from a document to a bar chart in a spreadsheet, in a real LibreOffice: Writer shows the document,
Calc is filled, draws and saves. The agents see the windows through the accessibility tree and work with mouse and
keyboard, on a screen of their own that nobody sees.

	office -in report.docx -out sales.xlsx
	office -in report.odt -out sales.ods -request "draw a bar chart of the costs by quarter" -v

Without -model a server of rules on loopback plays the model. With OPENAI_BASE_URL or OPENAI_API_KEY, -model names a model
of your own endpoint.

It needs LibreOffice, Xvfb, openbox, dbus and at-spi2-core, and says which of them are not installed.
*/
package main
