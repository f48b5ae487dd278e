from .appearance import OVERHEAD as OVERHEAD, SEEN as SEEN, Appearance as Appearance
