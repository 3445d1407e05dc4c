"""What an evaluation says in words."""


def notes(evaluation):
    """What is said before the numbers."""
    return tuple(note.words for note in evaluation.notes)
