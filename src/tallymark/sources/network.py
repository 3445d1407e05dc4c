"""Network: addresses in place of files, read only where that is allowed and can be done."""

import re
from typing import TYPE_CHECKING

from tallymark.errors import DataError, OptionError
from tallymark.sources.sql import DATA, literal

if TYPE_CHECKING:
    import duckdb

_SCHEMES = {
    **dict.fromkeys(("http", "https", "s3", "s3a", "s3n", "gs", "gcs", "r2", "hf"), "httpfs"),
    **dict.fromkeys(("az", "azure", "abfss"), "azure"),
}
"""The extension of DuckDB that reads each kind of address."""
_OTHERS = ("abfs", "hdfs", "ftp", "sftp", "wasb", "wasbs", "dbfs", "oss")
_ADDRESS = re.compile(rf"({'|'.join([*_SCHEMES, *_OTHERS])}):/(/?)", re.IGNORECASE)
_INSTALLED = "SELECT installed FROM duckdb_extensions() WHERE extension_name = {}"
_FORMATS = ("parquet", "pq", "csv", "tsv")


def address_of(place: str) -> str | None:
    """The address that a text is, None where it names a file here; as a path, s3://x is s3:/x.

    >>> address_of("s3:/bucket/scores.parquet")
    's3://bucket/scores.parquet'
    """
    match = _ADDRESS.match(place)
    return None if match is None else f"{match[1].lower()}://{place[match.end() :]}"


def open_address(connection: "duckdb.DuckDBPyConnection", address: str, *, allowed: bool) -> None:
    """Open an address under the name ``DATA``; refuse it where that is not allowed or not possible."""
    needed = _SCHEMES.get(address.partition(":")[0])
    if not allowed:
        way = "be an address with --allow-network, or " if needed else ""
        raise DataError(
            f"{address} is on the network, and only files of this machine are read. Copy it here. The "
            f"scores themselves may {way}be read with --engine spark; `tallymark tally` writes the SQL that "
            "counts them where they are"
        )
    if needed is None:
        raise OptionError(f"{address} cannot be read; copy it here, or use --engine spark")
    ending = re.sub(r"\.gz$", "", address.partition("?")[0].lower()).rpartition(".")[2]
    if ending not in _FORMATS:
        raise DataError(f"cannot tell the format of {address}; it must end in .parquet or .csv")
    _load(connection, needed)
    place = literal(address)
    reader = f"read_parquet({place})"
    if ending in ("csv", "tsv"):
        reader = f"read_csv({place}, header = true, all_varchar = true)"
    connection.execute(f"CREATE TEMP VIEW {DATA} AS SELECT * FROM {reader}")


def _load(connection: "duckdb.DuckDBPyConnection", name: str) -> None:
    """Load an extension that is installed; none is ever fetched."""
    installed = connection.execute(_INSTALLED.format(literal(name))).fetchone()
    if installed is None or not installed[0]:
        raise OptionError(
            f"--allow-network needs DuckDB's extension {name}, which is not installed. Install it once: "
            f"python -c \"import duckdb; duckdb.sql('INSTALL {name}')\""
        )
    connection.execute(f"LOAD {name}")
