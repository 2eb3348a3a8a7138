"""What can go wrong, with the exit codes of the program."""


class Problem(Exception):
    """An error that the user can mend; its text is all that is shown."""

    exit_code = 1


class InputProblem(Problem):
    """Something on the command line: a folder that is no run, a file that must not be replaced."""

    exit_code = 2


class FileProblem(Problem):
    """A file or folder that cannot be read or written."""

    exit_code = 3
