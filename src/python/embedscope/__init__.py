"""Choose between embedding models without labels.

>>> import embedscope
>>> ranking = embedscope.rank({"e5": X, "bge": Y, "gte": Z})
>>> print(ranking.summary())
>>> ranking.table, ranking.matrix, ranking.best
>>> ranking.plot("ranking")
>>> ranking.to_html("report.html")
"""
from ._files import explore, save_pool
from ._library import EmbedscopeError, version
from ._ranking import Figure, Ranking, rank
from ._table import Table

__all__ = ["EmbedscopeError", "Figure", "Ranking", "Table", "explore", "rank", "save_pool",
           "version"]
__version__ = version()
