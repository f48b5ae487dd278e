from .planner_node import PlannerNode as PlannerNode
