"""The section of docs/coverage.md on severities and variance components.

Its numbers are those of the slow tests in tests/reliability: test_assignment.py, test_mean_severity.py.
"""

SECTION = """## Severity and variance components

Four raters; 800 responses, 200 where all raters read all. *Piles*: the responses that raters are given differ in mean quality by -1, -.33, .33 and
1 (small piles: a fifth of that), in logits or score points. One in ten is read twice unless the line says otherwise. Severity: Rasch model, 400 samples, the share of
all intervals and that of the rater with the least (one standard error .011); *conditional*: how often shared responses alone counted. The true
severity is that of the raters who are simulated. Components and coefficients (two ratings): normal errors, 500 samples (.010), true for these raters.

| severity | all raters | least | conditional |
|---|---|---|---|
| dealt at random | .958 | .950 | 1.00 |
| dealt at random, all read twice | .943 | .922 | .18 |
| piles | .952 | .938 | 1.00 |
| piles, all read twice | .949 | .930 | 1.00 |
| small piles, all read twice | .945 | .925 | .59 |
| unequal raters, unequal numbers, piles, three in ten read twice | .955 | .948 | 1.00 |
| unequal raters, all read all | .956 | .955 | 0 |
| an erratic rater, all read twice | .951 | .940 | .17 |
| an erratic rater, all read all | .958 | .943 | 0 |
| a rater who keeps to the middle, half read twice | .960 | .950 | 1.00 |
| candidates with four responses each, piles, all read twice, `--cluster` | .960 | .955 | 1.00 |

The mean of a rater's severities over three traits or prompts (`raters --trait`), 500 samples (.010); 300 responses each unless the line says otherwise. *Halo*: a rater sees a response as better or worse whatever
the trait (SD .8 logits):

| mean severity | all raters | least |
|---|---|---|
| prompts, three in ten read twice | .952 | .944 |
| prompts of 40 responses, all read all | .946 | .942 |
| traits of the same responses, all read twice | .944 | .938 |
| the same, `--cluster` names the response | .956 | .952 |
| traits, halo, all read twice | **.863** | **.854** |
| the same, `--cluster` | .935 | .928 |
| traits, halo, 100 responses, all read all, `--cluster` | .961 | .938 |
| traits, piles, 400 responses, three in ten read twice, `--cluster` | .949 | .934 |

So name the response with `--cluster` where raters score several traits of it: what a rater sees in a response once is not seen three times.

| components | response | rater | residual | generalizability | dependability |
|---|---|---|---|---|---|
| dealt at random | .948 | .952 | .934 | .934 | .930 |
| dealt at random, unequal raters, all read twice | .930 | .958 | .932 | .932 | .932 |
| piles | .948 | .952 | .934 | .936 | .930 |
| piles, all read twice | .944 | .928 | .932 | .936 | .936 |
| unequal raters, unequal numbers, piles, three in ten read twice | .946 | .964 | .952 | .948 | .946 |
| unequal raters, all read all | .944 | .946 | .960 | .952 | .944 |

Ratings on five points by the Rasch model, piles, one in ten read twice, 400 samples: response .945, rater .920, residual .935.

Severity that takes responses as dealt at random held the truth of the two outer raters in none of the samples with piles. Piles of a tenth to a half of that size, one
in ten to all read twice: no rater's intervals held the truth in fewer than .88 of 150 samples (a slow test). With p above .05 as the only condition for random assignment, it was .41 at the worst.
"""
