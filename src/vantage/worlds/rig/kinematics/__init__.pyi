from .chain import (
    MOST_JOINTS as MOST_JOINTS,
    PRISMATIC as PRISMATIC,
    RESERVED_FRAMES as RESERVED_FRAMES,
    REVOLUTE as REVOLUTE,
    Chain as Chain,
    Joint as Joint,
    transform as transform,
    turn as turn,
)
from .inverse_analytic import pan_tilt_of as pan_tilt_of
from .inverse_local import JointSteps as JointSteps, LocalSolver as LocalSolver
from .trajectory import Profile as Profile, plan as plan
from .unwinding import FAR as FAR, JointSegment as JointSegment, Unwinding as Unwinding
from .urdf import joints_from_urdf as joints_from_urdf
from .urdf_writing import (
    BOX as BOX,
    CYLINDER as CYLINDER,
    SPHERE as SPHERE,
    Branch as Branch,
    Shape as Shape,
    capsule as capsule,
    write_urdf as write_urdf,
)
from .workspace import bounds as bounds
