"""The section of docs/coverage.md on what widens intervals of small samples, and what was tried."""

SMALL = """## Small samples

*What was tried when the intervals were chosen.* The alternatives in these two tables are no part of the program, so they were not measured again with the rest of the page.

With 50 responses and quadratic weights a few large errors carry the statistic. The interval of a mean then falls short of its level, and by how much
follows from the Edgeworth expansion of Student's t (Hall 1992, The Bootstrap and Edgeworth Expansion, 2.6), carried through ABC: for a 95 % interval of n
responses by 2 z φ(z) (1.38 kurtosis - 1.60 skewness²) / n. Means of exponential, normal, Laplace and uniform numbers agree with it to .002 (n = 100, 200,000
samples each). The reach of every ABC interval is therefore longer by (1.38 / n) (kurtosis - 0.75 skewness²) of the influences of the responses, where that is positive.
The squared skewness counts less than in theory, because samples understate the kurtosis more. Two scores leave nothing to widen: there kurtosis is skewness² - 2.

4,000 samples a cell (standard error .003 to .005), coverage / median width beside *t*. *t*: ABC with a t quantile, as for other means. *df*: the degrees of
freedom that the kurtosis leaves, 2n / (kurtosis - (n - 3) / (n - 1)), at least 8. *Jackknife*: its standard error in place of that of the influences, which is what
HC3 does. *Theory*: as derived. *Taken*: with 0.75. A transformed scale does nothing: ABC has the same ends on every scale (mse and rmse differ only by rounding).

| | | t | df | jackknife | theory | taken |
|---|---|---|---|---|---|---|
| cohen_kappa[quadratic] | n=50 K=2 skewed | .964 | .974 / 1.00 | .969 / 1.03 | .964 / 1.00 | .969 / 1.00 |
| | n=50 K=4 even | .932 | .943 / 1.05 | .935 / 1.02 | .938 / 1.01 | .944 / 1.04 |
| | n=50 K=4 skewed | .929 | .944 / 1.11 | .948 / 1.11 | .944 / 1.15 | .949 / 1.18 |
| | n=50 K=6 even | .934 | .954 / 1.12 | .939 / 1.01 | .947 / 1.03 | .954 / 1.12 |
| | n=50 K=6 skewed | .916 | .937 / 1.12 | .940 / 1.16 | .938 / 1.18 | .943 / 1.22 |
| | n=200 K=6 skewed | .934 | .949 / 1.07 | .945 / 1.05 | .957 / 1.11 | .958 / 1.12 |
| | n=50 essays | .926 | .940 / 1.07 | .941 / 1.06 | .942 / 1.09 | .945 / 1.11 |
| | n=50 beta-binomial | .950 | .956 / 1.04 | .954 / 1.03 | .954 / 1.03 | .957 / 1.05 |
| gwet_ac[quadratic] | n=50 K=2 skewed | .958 | .968 / 1.00 | .956 / 0.99 | .958 / 1.00 | .958 / 1.00 |
| | n=50 K=4 even | .925 | .936 / 1.09 | .922 / 0.99 | .927 / 1.00 | .933 / 1.04 |
| | n=50 K=4 skewed | .915 | .922 / 1.15 | .913 / 0.99 | .916 / 1.03 | .921 / 1.13 |
| | n=50 K=6 even | .923 | .948 / 1.18 | .919 / 1.00 | .930 / 1.01 | .948 / 1.16 |
| | n=50 K=6 skewed | .899 | .906 / 1.13 | .897 / 0.99 | .900 / 1.02 | .905 / 1.11 |
| | n=200 K=6 skewed | .931 | .945 / 1.09 | .931 / 1.00 | .935 / 1.04 | .945 / 1.09 |
| brennan_prediger[quadratic], mse, rmse | n=50 K=2 skewed | .962 | .977 / 1.00 | .962 / 1.00 | .962 / 1.00 | .962 / 1.00 |
| | n=50 K=4 even | .924 | .935 / 1.10 | .924 / 1.00 | .924 / 1.00 | .930 / 1.04 |
| | n=50 K=4 skewed | .885 | .893 / 1.20 | .885 / 1.00 | .885 / 1.05 | .892 / 1.28 |
| | n=50 K=6 even | .923 | .950 / 1.19 | .923 / 1.00 | .929 / 1.00 | .948 / 1.16 |
| | n=50 K=6 skewed | .868 | .876 / 1.14 | .868 / 1.00 | .868 / 1.00 | .874 / 1.09 |
| | n=200 K=6 skewed | .929 | .944 / 1.19 | .929 / 1.00 | .932 / 1.06 | .942 / 1.18 |

**An error larger than any seen.** One sample of 50 skewed responses in five holds none of the large errors that make up the true value, and neither spread nor skewness of such a
sample tells of them; the scale does. So AC, Brennan-Prediger, mse, rmse and what follows from squared errors think of one more response whose scores lie further apart than any two in the data: by one step or, one time in
four, by two. Empirical likelihood (Owen 2001, chapter 2, with a t quantile) says how much weight it may have. Where that leads further than ABC, it is the end on that side. Means of squared
errors, 4,000 samples a line (standard error .003 to .006), coverage / median width beside ABC; below the line populations that chose nothing (two latent normal scores cut at points; shares
of errors of 0, 1, 2 … points):

| mse (and quadratic Brennan-Prediger) | ABC | one step | taken: one or two steps | log scale |
|---|---|---|---|---|
| n=50 K=4 skewed | .884 | .935 / 1.00 | .972 / 1.00 | .910 / 0.74 |
| n=50 K=6 skewed | .864 | .917 / 1.02 | .960 / 1.12 | .888 / 0.89 |
| n=50 K=4 even | .932 | .941 / 1.02 | .952 / 1.02 | .929 / 0.95 |
| n=50 K=6 even | .954 | .964 / 1.00 | .969 / 1.02 | .909 / 0.75 |
| n=200 K=6 skewed | .946 | .948 / 1.00 | .960 / 1.00 | .933 / 0.83 |
| n=30 K=4 even | .866 | .917 / 1.07 | .971 / 1.07 | .890 / 0.92 |
| n=30 K=6 even | .910 | .927 / 1.07 | .945 / 1.17 | .905 / 1.00 |
| – | | | | |
| n=50 essays | .939 | .945 / 1.01 | .963 / 1.05 | .924 / 0.86 |
| n=50 beta-binomial | .941 | .941 / 1.00 | .947 / 1.02 | .927 / 0.99 |
| n=50, five points, latent, low scores dominate | .936 | .943 / 1.03 | .951 / 1.11 | .931 / 0.95 |
| n=30, the same | .899 | .943 / 1.07 | .981 / 1.19 | .916 / 0.92 |
| n=50, four points, latent | .921 | .957 / 1.12 | .974 / 1.12 | .942 / 0.84 |
| n=100, four points, latent, low scores dominate, few errors | .944 | .960 / 1.05 | .976 / 1.05 | .954 / 0.83 |
| n=50, ten points, latent | .946 | .946 / 1.00 | .952 / 1.02 | .938 / 0.97 |
| n=50, errors .80 .15 .03 .015 .005 | .901 | .902 / 1.00 | .903 / 1.00 | .885 / 0.72 |
| n=30, the same | .786 | .851 / 1.03 | .931 / 1.12 | .790 / 0.95 |
| n=50, errors .70 .26 .03 .01 | .878 | .904 / 1.02 | .935 / 1.02 | .887 / 0.95 |
| n=100, errors .90 .08 .015 .005 | .882 | .897 / 1.00 | .931 / 1.00 | .869 / 0.92 |
| n=50, errors .75 .25 and never more, of four points | .965 | .981 / 1.15 | .983 / 1.32 | .962 / 1.03 |
| n=100, the same | .949 | .959 / 1.04 | .967 / 1.14 | .959 / 1.01 |

The price is in the last two lines: a system that never errs by more than a point gets an interval a third wider with 50 responses and a seventh wider with 100. A third of the weight on
two steps holds more often still (.95 at n=30 in the rare errors) at 1.39 of the width there; weight on every further step of the scale costs up to 1.8. *Log scale*: a t interval of the
logarithm; it holds less often than the interval taken in every line. Nor does Hall's (1992) cubic transformation of t help: .881 and .873 in the first two lines. Half a response more in the
data, a step further off, holds in .98 of samples, at twice the width. mae needs none of this: by ABC it holds in .92 to .99 of samples in these populations with 30 and 50 responses.

QWK, Scott's pi, r, CCC, alpha and R² are lowered by the same errors, so they think of the same response. In the populations above they hardly change. Where agreement is high and errors are rare they held far too seldom
without it, nearly always by lying too high; 400 samples a line (standard error .011 to .02), QWK and r without and with it, and the median width beside that without:

| shares of errors of 0, 1, 2 … points | QWK without | with | r without | with | width |
|---|---|---|---|---|---|
| n=30, six points, .80 .15 .03 .015 .005 | .818 | .940 | .767 | .917 | 1.02 |
| n=50, the same | .920 | .925 | .920 | .920 | 1.00 |
| n=100, the same | .922 | .932 | .922 | .925 | 1.00 |
| n=30, four points, .70 .26 .03 .01 | .887 | .988 | .815 | .988 | 1.03 |
| n=50, the same | .907 | .948 | .875 | .953 | 1.00 |
| n=100, the same | .940 | .953 | .925 | .943 | 1.00 |
| n=50, four points, .90 .08 .015 .005 | .884 | .985 | .821 | .985 | 1.00 |
| n=100, the same | .887 | .950 | .875 | .950 | 1.00 |
| n=30, four points, .75 .25 and never more | .978 | .983 | .948 | .975 | 1.28 |
| n=50, the same | .983 | .990 | .975 | .985 | 1.16 |
| n=100, the same | .955 | .968 | .955 | .968 | 1.06 |
| n=50 K=4 even | .940 | .950 | .932 | .950 | 1.00 |
| n=50 K=6 skewed | .950 | .950 | .965 | .965 | 1.00 |
| n=50 essays | .965 | .965 | .973 | .980 | 1.01 |
"""
MACRO = """**Errors averaged over gold scores.** `macro_mae` and `macro_rmse` give a rare score as much weight as a common one, so that one response can decide them. Coverage by the number of
responses that the rarest score has (five populations, n = 50 to 1,000, 1,500 samples each): macro_mae 1: .36 to .59, 2: .73 to .80, 3 or 4: .82 to .93, 5 to 7: .84 to .94, from 8 on .92
and more; macro_rmse 1: .27 to .38, 5 to 7: .78 to .82, 8 to 11: .85 to .96, 12 to 15: .85 to .96, from 16 on .93 and more. So `macro_mae` has an interval where every gold score has
8 responses, `macro_rmse` where it has 20; else none, and `why` names the score.
"""
