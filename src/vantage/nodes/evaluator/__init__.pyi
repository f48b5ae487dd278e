from .evaluator_node import EvaluatorNode as EvaluatorNode
