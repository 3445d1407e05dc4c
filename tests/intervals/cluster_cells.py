"""The section of docs/coverage.md on few clusters.

Its numbers are those of the slow test in tests/verdict/test_few_clusters.py.
"""

CLUSTERS = """## Few clusters

Clusters worth fewer than 40 of one size have a t interval with CR2 standard errors. Scores on six points, 1,000 samples a cell (one standard error .007);
[verdict.md](verdict.md#clusters) says how clusters differ and how unequal they are. BCa, 400 samples: 4 equal clusters that differ strongly .82 (QWK), 10 unequal ones .86, 40 of which one
holds half .87.

| clusters x responses | 4 x 30 | 6 x 30 | 10 x 60 | 15 x 30 | 20 x 30 | 40 x 20 |
|---|---|---|---|---|---|---|
| QWK, equal, differ somewhat | .946 | .953 | .946 | .948 | .946 | .951 |
| SMD, equal, differ somewhat | .953 | .953 | .950 | .945 | .953 | .941 |
| QWK, equal, differ strongly | .937 | .939 | .929 | .947 | .958 | .940 |
| SMD, equal, differ strongly | .956 | .960 | .952 | .960 | .954 | .945 |
| QWK, unequal, differ somewhat | .970 | .961 | .952 | .953 | .939 | .959 |
| SMD, unequal, differ somewhat | .963 | .945 | .948 | .939 | .940 | .946 |
| QWK, unequal, differ strongly | .959 | .948 | .930 | .942 | .947 | .938 |
| SMD, unequal, differ strongly | .961 | .953 | .947 | .935 | .937 | .937 |
| QWK, one holds half, differ somewhat | .959 | .966 | .978 | .971 | .969 | .972 |
| SMD, one holds half, differ somewhat | .967 | .942 | .963 | .956 | .949 | .957 |
| QWK, one holds half, differ strongly | .953 | .961 | .947 | .964 | .948 | .947 |
| SMD, one holds half, differ strongly | .954 | .960 | .962 | .966 | .961 | .959 |

QWK of few clusters that differ strongly is itself too low, and no interval around it can mend that: verdicts ask for 15 clusters.

Clusters worth 40 or more have ABC. Beside BCa on the same 1,000 samples; clusters differ strongly, on six points:

| clusters x responses | QWK | BCa | AC2 | BCa | mse | BCa | SMD | BCa |
|---|---|---|---|---|---|---|---|---|
| 45 x 3 | .952 | .951 | .971 | .966 | .967 | .960 | .950 | .950 |
| 134 x 3 | .950 | .950 | .948 | .944 | .948 | .945 | .939 | .938 |
| 60 x 10 | .938 | .934 | .945 | .947 | .944 | .940 | .958 | .959 |
| 120 x 5, unequal, worth 54 | .952 | .934 | .951 | .947 | .952 | .942 | .943 | .926 |

What widens the interval where a few responses carry a statistic ([small samples](#small-samples)) does so for a few large clusters: without it the last line is .939, .944, .939, .928.
"""
