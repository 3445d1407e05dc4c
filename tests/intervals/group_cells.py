"""The section of docs/coverage.md on groups: tests/fairness measures."""

GROUPS = """## Groups

A fair system, two raters and six points; six groups of 40, 25, 15, 10, 6 and 4 % of the responses. 400 samples (BCa: 300; standard error .011 to
.013); intervals of the groups by size, largest first, *t* as they are now and *BCa* as they were. At n = 60 the two smallest groups have 3.6 and 2.4
responses on average; a group of one response has no interval. `make slow` holds the first against .90 (tests/fairness).

| n = 60 | 24 | 15 | 9 | 6 | 3.6 | 2.4 |
|---|---|---|---|---|---|---|
| dsm, t | .980 | .950 | .973 | .977 | .997 | .996 |
| dsm, BCa | .953 | .933 | **.920** | **.900** | **.771** | **.755** |
| true_effect, t | – | .955 | .965 | .969 | .974 | .992 |
| true_effect, BCa | – | .946 | .937 | .923 | **.799** | **.751** |
| osd_effect, t | – | .945 | .970 | .977 | .991 | .989 |
| difference of QWK, t | .970 | .978 | .970 | .951 | **.902** | **.888** |
| difference of CSRate, t | .953 | .960 | .953 | .964 | .989 | .992 |

| n = 200 | 80 | 50 | 30 | 20 | 12 | 8 |
|---|---|---|---|---|---|---|
| dsm, t | .965 | .978 | .965 | .958 | .950 | .977 |
| dsm, BCa | .957 | .933 | .943 | .927 | **.907** | **.903** |
| true_effect, t | – | .975 | .950 | .960 | .953 | .967 |
| true_effect, BCa | – | .950 | .950 | .933 | .940 | **.903** |
| difference of QWK, t | .965 | .970 | .980 | .973 | .963 | .945 |

Where the second group is worse by .5 points and gets .4 too much (true DSM .238, effect .385, from 300,000 responses), its t intervals hold the truth in .965,
.970, .968 (DSM) and .959, .952, .963 (effect) of 400 samples of 120, 200 and 500 responses. With 100 candidates of 6 responses as clusters DSM's
hold in .952 to .985, with 10 classes of 30 (groups within classes) in .968 to 1.000.
"""
