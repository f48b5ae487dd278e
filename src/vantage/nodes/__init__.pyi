from .graph import GraphPlan as GraphPlan, bring_up as bring_up, join as join
