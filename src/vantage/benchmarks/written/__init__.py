"""Questions that people wrote about homes, clean ones and ones with a false premise, in their own words."""
