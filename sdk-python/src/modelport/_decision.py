"""``_meta.decision``: why a request was answered as it was. Times are milliseconds.

Names from a list that grows with Modelport, such as topics, are strings.
"""

from __future__ import annotations

from typing_extensions import NotRequired, TypedDict


class RatedQuality(TypedDict):
    quality: float
    qualityHalfWidth: float
    share: float
    """The share that it still counts."""


class Estimate(TypedDict):
    """What a model was expected to give for the request. The numbers are exactly those that were compared."""

    quality: float
    """Probability of an acceptable answer, in ten-thousandths."""
    qualityHalfWidth: float
    """Half the width of its 90 % interval."""
    qualitySource: str
    outputTokens: int
    costNanoUsd: int
    """Nano-dollars, 10⁻⁹ US dollars."""
    promptNanoUsd: int
    costP90NanoUsd: int
    """The cost with a long answer: only one answer in ten is longer."""
    latencyMs: int
    latencyP95Ms: int
    latencySource: str
    lowMicrograms: int
    """Micrograms of CO2e."""
    micrograms: int
    highMicrograms: int
    carbonMethod: str
    rated: NotRequired[RatedQuality]
    """What ratings alone expect; absent where it has no effect."""


class RankedModel(TypedDict):
    """A model that could answer."""

    model: str
    effort: NotRequired[str]
    """The reasoning effort that the router chose; absent where it sends none."""
    position: int
    reason: str | None
    """Set when something other than the strategy decided the position."""
    estimate: Estimate | None


class ExcludedModel(TypedDict):
    """A model that could not answer, with the reason as a code and in words."""

    model: str
    effort: NotRequired[str]
    position: int
    reason: str
    estimate: Estimate | None
    code: str


class Attempt(TypedDict):
    """One request to a model."""

    model: str
    startedMs: float
    """From the request's start."""
    tookMs: float
    outcome: str
    """``answered``, ``accepted``, ``not_accepted``, ``aborted``, ``lost``, or the kind of the provider's failure."""
    status: int | None
    message: str | None


class Weights(TypedDict):
    cost: float
    latency: float
    carbon: float


class LossAccount(TypedDict):
    """What a router may still lose of the best expected quality, as a price."""

    choices: int
    qualityPerMeanCost: float
    meanCostUsd: float | None


class RankParameters(TypedDict):
    qualityTolerance: float
    limitEachPrompt: bool
    """No prompt may lose more quality than is allowed on the mean."""
    account: LossAccount | None
    """The account of allowed loss that decided; None where none did."""
    weights: Weights
    latencyPercentile: int
    qualityPerUsd: float


class Reading(TypedDict):
    """What the prompt looked like, each kind and topic with its probability."""

    domains: list[tuple[str, float]]
    topics: list[tuple[str, float]]
    confidence: float
    difficulty: float
    difficultyReasons: list[str]


class Tier(TypedDict):
    models: list[str]
    accept: str
    outcome: str
    reason: str | None


class WarmCache(TypedDict):
    model: str
    tokens: int
    worthNanoUsd: int


class Adjustment(TypedDict):
    parameter: str
    change: str
    reason: str


class Tokens(TypedDict):
    """Classes that do not overlap; None when the provider does not report one."""

    input: int
    cacheRead: int | None
    cacheWrite: int | None
    output: int
    reasoning: int | None


class Price(TypedDict):
    """US dollars per million tokens, and the source of the price."""

    inputUsdPerMtok: float
    outputUsdPerMtok: float
    cacheReadUsdPerMtok: float | None
    cacheWriteUsdPerMtok: float | None
    source: str
    asOf: str | None


class Carbon(TypedDict):
    """The bounds around ``carbonGrams``."""

    lowGrams: float
    highGrams: float
    method: str


class Signal(TypedDict):
    name: str
    model: str
    label: float
    weight: float


class FirstLook(TypedDict):
    """Why a model that hardly answered yet was asked first, with its figures at their best."""

    insteadOf: str
    answers: int
    costNanoUsd: int
    latencyMs: int
    micrograms: int


class ChangeSums(TypedDict):
    """What a change of model inside a session is expected to save and to cost, in nano-dollars."""

    steps: int
    savedNanoUsd: int
    fillNanoUsd: int
    lostNanoUsd: int


# A field's name is a keyword of Python.
SessionChange = TypedDict(
    "SessionChange",
    {
        "rule": str,
        "from": NotRequired[str],
        "mark": NotRequired[str],
        "first": NotRequired[str],
        "sums": NotRequired[ChangeSums],
        "forbidden": NotRequired[str],
    },
)
"""Why a coding agent's session left its model, or could not."""


class RouterDecisionRecord(TypedDict):
    """The decision of a router."""

    why: str
    """Why the first of ``ranked`` is first, in words."""
    flip: str | None
    """The smallest change that would have put another model first."""
    strategy: str
    promptTokens: int
    """Estimated before the request was sent."""
    maxOutputTokens: int | None
    isStreamed: bool
    needs: list[str]
    """Capabilities that the request requires, such as ``tools``."""
    parameters: RankParameters | None
    reading: Reading | None
    ranked: list[RankedModel]
    """The models in the order in which they are tried."""
    excluded: list[ExcludedModel]
    kept: str | None
    """Why the conversation stayed with its model; None when it did not."""
    drawnWith: float | None
    """The probability of a random choice; None when the strategy chose."""
    cascade: NotRequired[list[Tier]]
    warmCache: NotRequired[WarmCache]
    look: NotRequired[FirstLook]
    change: NotRequired[SessionChange]
    adjusted: list[Adjustment]
    """Parameters that were changed or left out for the model of the last attempt."""
    client: str | None
    tokenSource: str
    """``reported`` by the provider, ``estimated``, or ``none`` without an answer."""
    tokens: Tokens
    price: Price | None
    carbon: Carbon | None
    attempts: list[Attempt]
    signals: list[Signal]


class AgentStep(TypedDict):
    stepId: str
    """In a called agent it starts with the calling step's id: ``outer/inner``."""
    type: str
    outcome: str
    """``done``, ``skipped``, ``fallback``, ``failed`` or ``cancelled``."""
    startedMs: float
    """From the start of the execution."""
    tookMs: float


class AgentRequest(TypedDict):
    id: str
    stepId: str
    modelUsed: str | None
    status: int
    latencyMs: float
    cost: float
    """US dollars."""


class AgentDecisionRecord(TypedDict):
    """The steps of an agent's execution, and its requests to models."""

    agent: str
    version: int
    steps: list[AgentStep]
    requests: list[AgentRequest]
