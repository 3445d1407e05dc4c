"""Every figure, whatever file it is in, by the name of its function."""

import inspect
import pkgutil
from importlib import import_module
from types import SimpleNamespace

from tallymark.render import figures as folder
from tallymark.render.figures.records import Drawn

FILES = [
    import_module(f"{folder.__name__}.{file.name}")
    for file in pkgutil.iter_modules(folder.__path__)
]
NAMED = {
    name: (function, file.__name__.rpartition(".")[2])
    for file in FILES
    for name, function in inspect.getmembers(file, inspect.isfunction)
    if function.__module__ == file.__name__
    and not name.startswith("_")
    and inspect.signature(function).return_annotation is Drawn
}
figures = SimpleNamespace(**{name: function for name, (function, _) in NAMED.items()})
