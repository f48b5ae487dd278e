from .execution import Executor as Executor, Outcome as Outcome, Truths as Truths, execute as execute
from .kinds import (
    COLORS as COLORS,
    MATERIAL_ADJECTIVES as MATERIAL_ADJECTIVES,
    OPPOSITES as OPPOSITES,
    PORTABLE as PORTABLE,
    STRUCTURE as STRUCTURE,
    SUPPORTS as SUPPORTS,
    USUAL_KINDS as USUAL_KINDS,
    QuestionKind as QuestionKind,
)
from .parsed import ParsedQuestion as ParsedQuestion
from .program_parts import (
    Condition as Condition,
    Description as Description,
    described as described,
    descriptions as descriptions,
    inner_steps as inner_steps,
    subject as subject,
    substituted as substituted,
)
from .program_steps import (
    PROGRAM_SCHEMA as PROGRAM_SCHEMA,
    program_from_steps as program_from_steps,
    signatures as signatures,
)
from .programs import (
    Alike as Alike,
    CompareAttribute as CompareAttribute,
    Compared as Compared,
    CompareNumber as CompareNumber,
    CompareQuantity as CompareQuantity,
    Count as Count,
    Exist as Exist,
    Filter as Filter,
    Most as Most,
    One as One,
    Program as Program,
    Query as Query,
    QueryEach as QueryEach,
    Relate as Relate,
    Rooms as Rooms,
    Scene as Scene,
    Step as Step,
    Unique as Unique,
    Verify as Verify,
    VerifyRelation as VerifyRelation,
    program_text as program_text,
    read_program as read_program,
)
