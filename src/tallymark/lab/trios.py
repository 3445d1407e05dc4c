"""The coefficients that the sources compare, by their weights."""

KAPPA_L, AC_L, BP_L = "cohen_kappa[linear]", "gwet_ac[linear]", "brennan_prediger[linear]"
KAPPA_Q, AC_Q, BP_Q = "cohen_kappa[quadratic]", "gwet_ac[quadratic]", "brennan_prediger[quadratic]"
KAPPA, AC, BP = "cohen_kappa[identity]", "gwet_ac[identity]", "brennan_prediger[identity]"
EXACT = "percent_agreement"
MAE = "mae"
LINEAR = (KAPPA_L, AC_L, BP_L)
QUADRATIC = (KAPPA_Q, AC_Q, BP_Q)
UNWEIGHTED = (KAPPA, AC, BP)
LABELS = {
    KAPPA_L: "kappa linear",
    AC_L: "AC linear",
    BP_L: "BP linear",
    KAPPA_Q: "QWK",
    AC_Q: "AC quadratic",
    BP_Q: "BP quadratic",
    KAPPA: "kappa",
    AC: "AC",
    BP: "BP",
    EXACT: "percent agreement",
}
"""What they are called beside each other."""
