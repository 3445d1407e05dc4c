"""One session of Spark for all tests, on this machine alone."""

import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def spark(tmp_path_factory) -> Iterator[Any]:
    """A local session with two threads; its tests are one group, so that one of them starts."""
    if shutil.which("java") is None:
        pytest.skip("no Java is installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about versions of pandas, which is not used
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            pytest.skip("no Spark is installed")
        settings: dict[str, Any] = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "OFF",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        }
        session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    yield session
    session.stop()
