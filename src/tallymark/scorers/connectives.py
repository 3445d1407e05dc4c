"""Discourse markers of some languages, by which a text joins its statements."""

import numpy as np
from numpy.typing import NDArray

from tallymark.scorers.documents import Documents, hash_of
from tallymark.scorers.tokens import plain

_LISTS = {
    "English": "also although because besides but consequently finally first furthermore hence however "
    "if instead moreover nevertheless second since so then therefore though thus unless whereas while",
    "Portuguese": "ademais além assim consequentemente contudo embora enquanto entretanto então "
    "finalmente logo mas pois porque portanto porém primeiro também todavia",
    "Spanish": "además ahora aunque embargo entonces finalmente luego mientras pero porque primero "
    "también tampoco",
    "French": "ainsi aussi car cependant donc enfin ensuite mais néanmoins parce pourtant puis toutefois",
    "German": "aber außerdem daher dann denn deshalb doch jedoch obwohl schließlich sondern trotzdem "
    "weil zuerst",
    "Arabic": "لأن لكن ولكن لذلك ثم بينما إذا كما أيضا أيضًا بسبب حيث أولا أولاً أخيرا أخيراً رغم",
}
_UNSPACED = (
    "しかし そして だから なぜなら また ために ので けれど したがって つまり 例えば たとえば まず 次に 最後に "
    "因为 但是 所以 然而 而且 虽然 如果 首先 其次 最后 因此 例如"
)
LANGUAGES = (*_LISTS, "Japanese", "Chinese")
"""Languages whose markers are known; in others a text has none."""


def connectives(documents: Documents) -> NDArray[np.float64]:
    """How many discourse markers each text has."""
    listed = {word for text in _LISTS.values() for word in plain(text).split()}
    known = np.array(sorted(map(hash_of, listed)), np.uint64)
    text = np.repeat(np.arange(len(documents.texts)), documents.lengths)
    number = np.bincount(text, np.isin(documents.tokens, known), len(documents.texts)).astype(float)
    markers = _UNSPACED.split()
    for i, written in enumerate(documents.texts):
        if not written.isascii():
            number[i] += sum(written.count(marker) for marker in markers)
    return number
