"""The section of docs/coverage.md on numbers that several statistics make up: derived.py measures."""

DERIVED = """## Degradation, PRMSE, means over prompts and ceilings

Two raters and a lenient system; n is that of each prompt where there are four, whose mean quality differs by up to two standard deviations. *Skewed*: low scores dominate. 400 samples (standard
error .011); in brackets coverage less that of BCa on the same samples, in thousandths, and its standard error.

| | K=4 n=50 | K=4 n=200 | K=4 skewed n=50 | K=4 skewed n=200 | K=6 n=50 | K=6 n=200 |
|---|---|---|---|---|---|---|
| degradation[cohen_kappa[quadratic]] | .943 (+10 ± 7) | .960 (+5 ± 4) | .945 (+2 ± 7) | .955 (+5 ± 4) | .920 (+2 ± 7) | .958 (+0 ± 5) |
| degradation[pearson] | .925 (+15 ± 7) | .953 (+2 ± 2) | .938 (+5 ± 8) | .950 (+0 ± 5) | .900 (-8 ± 4) | .968 (+8 ± 4) |
| prmse | .953 (-5 ± 4) | .963 (+0 ± 0) | .968 (+10 ± 6) | .955 (+15 ± 6) | .948 (+0 ± 5) | .958 (+2 ± 2) |
| mean of qwk over 4 prompts | .968 (+2 ± 2) | .950 (+0 ± 5) | .950 (+12 ± 7) | .925 (+5 ± 5) | .958 (+10 ± 6) | .965 (-2 ± 2) |
| mean of mae over 4 prompts | .960 (+0 ± 4) | .963 (+5 ± 4) | .955 (+0 ± 6) | .943 (+2 ± 6) | .953 (+0 ± 4) | .935 (+5 ± 4) |
| Fisher-z mean of qwk | .970 (-5 ± 4) | .948 (-5 ± 4) | .955 (+8 ± 6) | .922 (+0 ± 5) | .955 (+2 ± 2) | .968 (+5 ± 4) |

What two raters tell of ceilings ([ceilings](ceilings.md#intervals)), 200 samples (.015):

| | K=4 n=50 | K=4 n=200 | K=4 skewed n=50 | K=4 skewed n=200 | K=6 n=50 | K=6 n=200 |
|---|---|---|---|---|---|---|
| reliability[one] | .960 (+10 ± 7) | .960 (+5 ± 5) | .935 (+10 ± 7) | .960 (+15 ± 9) | .950 (+10 ± 7) | .955 (+0 ± 0) |
| ceiling_human_like[mean] | .960 (+5 ± 5) | .955 (+0 ± 0) | .940 (+10 ± 7) | .965 (+15 ± 9) | .955 (+10 ± 7) | .950 (+0 ± 0) |
| ceiling_theoretical[mean] | .960 (+5 ± 5) | .955 (+0 ± 0) | .940 (+10 ± 7) | .960 (+10 ± 7) | .950 (+15 ± 9) | .950 (+0 ± 0) |

**Means over many prompts.** 31 prompts, whose mean quality differs by up to two standard deviations; n is that of each prompt; 500 samples (.010). Above 30 prompts agreement has ABC, whose bend corrects for
the bias of small prompts: the plain normal interval held QWK of two people in .87, .68 and .48 of samples with 30, 30 skewed and 10 responses a prompt (200 samples), ABC in .96, .83 and .86. True-score numbers and
shares of a ceiling have the normal interval: they are ratios, and in a prompt of 30 skewed responses ABC held PRMSE in .64 where it could be computed at all. With fewer than 30 responses a prompt read no mean as settled.

| | K=4 n=30 | K=4 skewed n=50 | K=6 n=100 |
|---|---|---|---|
| mean of human_system[cohen_kappa[quadratic]] | .932 | .916 | .960 |
| mean of human_human[cohen_kappa[quadratic]] | .966 | .898 | .942 |
| mean of degradation[cohen_kappa[quadratic]] | .948 | .940 | .960 |
| mean of error_variance | .954 | .958 | .940 |
| mean of true_score_variance | .950 | .938 | .946 |
| mean of mse_true | .952 | .956 | .958 |
| mean of prmse | .900 | .950 | .934 |
"""
