"""Clean a crawl on a Spark cluster:  spark-submit examples/spark_job.py IN OUT

IN is a file or a folder of Parquet or JSON Lines (a name that ends in .jsonl or .json, packed or not), on any storage
that Spark reads. It has the columns `url` and `html`, or those named by options. OUT is a new folder for Parquet files.
"""

import argparse
import re
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # its usual name

from dehusk import DehuskError, methods
from dehusk.core import SAMPLE
from dehusk.jobs.spark import CONTENT, clean_pages
from dehusk.templates.site_names import BY


def read(spark: SparkSession, place: str) -> DataFrame:
    """Reads the pages; the suffix chooses the format."""
    return spark.read.json(place) if re.search(r"\.jsonl?(\.\w+)?/?$", place) else spark.read.parquet(place)


def main() -> int:
    """Cleans all pages and prints how many there were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", metavar="IN")
    parser.add_argument("output", metavar="OUT")
    parser.add_argument("--method", choices=methods.METHODS, default=methods.DEFAULT)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="pages to learn a template from (%(default)s)")
    parser.add_argument("--by", choices=BY, default="host", help="what a site is (%(default)s)")
    parser.add_argument("--format", choices=CONTENT, default="text")
    parser.add_argument("--url-column", default="url")
    parser.add_argument("--html-column", default="html")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("dehusk").getOrCreate()
    try:
        cleaned = clean_pages(
            read(spark, options.source),
            format=options.format,
            method=options.method,
            sample=options.sample,
            by=options.by,
            url=options.url_column,
            html=options.html_column,
        )
        cleaned.write.parquet(options.output)
    except DehuskError as error:
        print(f"spark_job: {error}", file=sys.stderr)
        return 1
    written = spark.read.parquet(options.output)
    ((pages, skipped),) = written.agg(F.count("*"), F.count("skipped")).collect()
    print(f"{pages} pages read, {pages - skipped} cleaned, {skipped} skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
