"""Reasons and works that several rows name."""

from tallymark.results import Estimate

ONE_POINT = "both scores are one and the same point throughout: chance leaves nothing to agree on"
ONE_POINT_SCALE = "the scale has one point only"
TWO_POINTS = "the scale does not have two points"
CONSTANT = "a score does not vary"
NO_PAIRS = "no response was scored twice"
ONE_RATER = (
    "no response was rated twice, so the variance of rater errors is not known; name a second "
    "rater, or give the variance with --error-variance"
)
BRENNAN = "Brennan (2001), doi:10.1007/978-1-4757-3456-0"
BYRT = "Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V"
BACCIANELLA = "Baccianella, Esuli & Sebastiani (2009), doi:10.1109/ISDA.2009.230"
CHODOROW = "Chodorow & Burstein (2004), doi:10.1002/j.2333-8504.2004.tb01931.x"
DOEWES = "Doewes, Kurdhi & Saxena (2023), EDM"
FUNAYAMA = "Funayama, Sasaki, Matsubayashi et al. (2020), doi:10.18653/v1/2020.acl-srw.32"
GEIFMAN = "Geifman, Uziel & El-Yaniv (2019), openreview.net/forum?id=SJfb5jCqKm"
KOLEN = "Kolen & Brennan (2014), doi:10.1007/978-1-4939-0317-7"
LINACRE = "Linacre (1989), Many-facet Rasch measurement"
LIVINGSTON = "Livingston & Lewis (1995), doi:10.1111/j.1745-3984.1995.tb00462.x"
LOUKINA_2019 = "Loukina, Madnani & Zechner (2019), doi:10.18653/v1/W19-4401"
LOUKINA_2020 = "Loukina, Madnani, Cahill et al. (2020), doi:10.18653/v1/2020.bea-1.2"
POWERS = "Powers, Burstein, Chodorow et al. (2002), doi:10.1016/S0747-5632(01)00052-8"
SHROUT = "Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420"
SPEARMAN = "Spearman (1904), doi:10.2307/1412159"
UTO = "Uto (2026), arXiv:2604.19131"
WANG = "Wang & von Davier (2014), as quoted by Wood, Yao, Haisfield & Lottridge (2021)"
WILLIAMSON = "Williamson, Xi & Breyer (2012), doi:10.1111/j.1745-3992.2011.00223.x"
WILLMOTT = "Willmott & Matsuura (2005), doi:10.3354/cr030079"
WRIGHT = "Wright & Masters (1982), Rating scale analysis"
YANNAKOUDAKIS = "Yannakoudakis & Cummins (2015), doi:10.3115/v1/W15-0625"


def beyond_range(prmse: Estimate) -> str:
    """What a PRMSE below 0 or above 1 means; nothing of others."""
    if prmse.value < 0:
        return "below 0: further from true scores than their mean is"
    if prmse.low > 1:
        supplied = "the error variance supplied is too large, or " if prmse.params else ""
        return (
            f"above 1 with its whole interval, so not by chance: {supplied}the system shares errors "
            "with the raters, or the responses rated twice are no random sample"
        )
    if prmse.value > 1:
        return "above 1, as chance allows: more responses rated twice would settle it"
    return ""
