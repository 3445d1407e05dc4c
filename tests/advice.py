"""Advice of `make fix`: names that say nothing of what they hold, and stilted words. It fails nothing."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "tallymark"
VAGUE = {
    "apart", "asked", "beside", "found", "given", "here", "kept", "known", "made", "one", "own",
    "said", "shown", "there", "told", "whose",
}  # fmt: skip
STILTED = re.compile(r"\bwhence\b|\bthat which\b|\b(is|are|be|was|were) told\b(?! apart)")


def vague_names(tree: ast.AST) -> set[str]:
    """Names that the code binds and that do not say what they hold."""
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return {name for name in bound if name.strip("_") in VAGUE}


def main() -> None:
    """Print a line for each file with something to reconsider."""
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text("utf-8")
        advice = [*sorted(vague_names(ast.parse(text)))]
        advice += [match.group(0) for match in STILTED.finditer(text)]
        if advice:
            sys.stdout.write(f"{path.relative_to(ROOT)}: {', '.join(advice)}\n")


if __name__ == "__main__":
    main()
