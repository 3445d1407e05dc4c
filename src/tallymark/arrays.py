"""The arrays that every room takes: of numbers, and of whole numbers."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
