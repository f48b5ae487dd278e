"""The command line ``vantage``: each module parses the options of some commands, calls the library and prints."""
