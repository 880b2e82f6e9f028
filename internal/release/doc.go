/*
Command release sets the version of a release, lists its tags, and checks before they are
pushed that users can fetch what they name.

	go -C internal/release run . prepare v0.2.0   that version in every go.mod
	go -C internal/release run . list             the tags, in the order in which they are made
	go -C internal/release run . check            fetches, builds and runs what HEAD would release

CONTRIBUTING.md has the whole way of a release.

# Versions

The core and the modules at adapters/NAME are released together, with one version: v0.2.0
is the tag of the core, and adapters/mcp/v0.2.0 that of an adapter. So each go.mod of the
repository that requires another module of it does so at that version, those that are never
released included (examples, internal/crash and so on):

	require github.com/agentfsm/agentfsm v0.2.0

	replace github.com/agentfsm/agentfsm => ../..

Who works here gets the folder, by the replace. Who fetches the module gets the version,
because a replace counts in the main module only. The core has no replace.

The version of the next release is in these go.mod files and nowhere else. prepare writes
it; list and check read it, and fail when a go.mod asks for something else: for another version,
for a module that is never released, or for one that is in a circle with it. A module comes after those
that it requires, otherwise in the order of their names.

# The check

What the module proxy and a user do, check does without either:

 1. It clones HEAD into a temporary folder and makes the tags there. What is not committed
    is not in it, as it would not be in a release; check says when there is such a thing.
 2. It has the go command resolve each tag in that clone, by git as from GitHub, and make its zip.
    The result is a folder that is a module proxy. The user has it before the machine's own:
    GOPROXY=file://folder,file://module cache of the machine,proxy of the machine.
 3. For each module, in a new module without a replace, it gets and builds all of its packages.
 4. In another new module it runs "go get MODULE", as README.md says, writes programs that use the module,
    and then runs "go mod tidy", "go build" and the programs. Each must print what it is known to print.
    The programs of the core are those of README.md; those of an adapter are the first Example of
    each of its packages that is a program by itself.

It also fails when a version comes from another commit, and when a zip has no LICENSE.

The module cache is a temporary one (1 GB), so that nobody is left with a v0.2.0 that was never
released. The build cache is the machine's own. Sums of dependencies are checked as the
machine does it; GONOSUMDB=* and GOPROXY=off make a check without any network.

Everything that is started ends with the check, and with -timeout, -v shows the commands.
*/
package main
