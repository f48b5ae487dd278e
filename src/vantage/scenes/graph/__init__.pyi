from .graph import GraphNode as GraphNode, SceneGraph as SceneGraph
