"""Where the variance of ratings comes from, and how many raters are enough."""
