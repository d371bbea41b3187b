/**
 * A tuning run asks the models of a router the same prompts, grades the answers, and stores the grades as judged
 * prompts. Its input, its progress and its result.
 */
import { z } from 'zod'
import type { Domain } from '../app/domains.ts'
import { modelIdSchema } from '../entities.ts'
import type { StrategyName } from '../routers/strategy-names.ts'
import type { Topic } from '../routers/topics.ts'
import { appliesToNames, type AppliesTo } from './tuning.ts'

export const leastPrompts = 10
export const defaultPrompts = 100
/** Offered beside the default: models without public ratings and work of many kinds need it. */
export const thoroughPrompts = 300
export const mostPrompts = 1_000
/** Fewest prompts that show which model is better; fewer only show how good each is. */
export const promptsForOrder = 50

/** The size of a file with prompts, in characters. */
const longestFile = 20_000_000

/**
 * Source of the prompts. `requests` are those that content logging stored for the router, `conversations` those of the
 * desktop app. Both are sent to all models of the router, so the user must agree.
 */
export const promptSourceSchema = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('starter') }),
  z.strictObject({
    from: z.literal('file'),
    /** Name for messages and the list of runs. */
    name: z.string().min(1).max(255),
    text: z.string().max(longestFile, 'The file is larger than 20 MB'),
  }),
  z.strictObject({ from: z.literal('requests'), consent: z.literal(true) }),
  z.strictObject({ from: z.literal('conversations'), consent: z.literal(true) }),
])
export type PromptSource = z.infer<typeof promptSourceSchema>

const planFields = {
  routerId: z.string().min(1),
  prompts: promptSourceSchema,
  count: z
    .int('Enter a whole number')
    .min(leastPrompts, `Enter ${leastPrompts} or more`)
    .max(mostPrompts, `Enter ${mostPrompts} or less`)
    .default(defaultPrompts),
  /** Grades what no check can grade; null leaves out the prompts without a check. */
  judge: modelIdSchema.nullable().default(null),
  /** The longest answer in tokens; null chooses a limit for each prompt and model. */
  maxAnswerTokens: z
    .int('Enter a whole number')
    .min(16, 'Enter 16 or more')
    .max(100_000, 'Enter 100,000 or less')
    .nullable()
    .default(null),
}

export const tuningPlanSchema = z.strictObject(planFields)
export type TuningPlanInput = z.input<typeof tuningPlanSchema>

/** Limit of the costs. Fractions of a nano-dollar are cut off. */
const capUsd = z
  .number('Enter an amount in US dollars')
  .min(0, 'Enter 0 or more')
  .max(1_000_000, 'Enter $1,000,000 or less')

export const tuningStartSchema = z.strictObject({ ...planFields, capUsd })
export type TuningStartInput = z.input<typeof tuningStartSchema>

/** `capUsd` replaces the run's cap; absent keeps it. */
export const tuningResumeSchema = z.strictObject({
  id: z.string().min(1),
  capUsd: capUsd.optional(),
})
export type TuningResumeInput = z.input<typeof tuningResumeSchema>

export const tuningApplySchema = z.strictObject({
  id: z.string().min(1),
  to: z.enum(appliesToNames),
})
export type TuningApplyInput = z.input<typeof tuningApplySchema>

/** Cost of a run in US dollars. No run spends more than `highestUsd` or its cap. */
export interface TuningCost {
  lowUsd: number
  expectedUsd: number
  highestUsd: number
}

/** Plan of a run; nothing was sent. */
export interface TuningPlan {
  routerId: string
  routerName: string
  models: readonly string[]
  /** Models of the router that cannot be asked, with the reason. */
  leftOut: readonly { model: string; reason: string }[]
  judge: string | null
  prompts: {
    /** Prompts found, before near-duplicates and prompts that nothing can grade were left out. */
    found: number
    duplicates: number
    ungradable: number
    /** Prompts that the run asks; some of them with a check, the others for the judge. */
    chosen: number
    checked: number
    judged: number
  }
  cost: TuningCost
  /** A lower cap could not pay for a single prompt. */
  leastCapUsd: number
  expectedMs: number
  /** Sentences for the user, such as that few prompts check the level and not the order. */
  notes: readonly string[]
}

/**
 * `sampling`: shadow samples of a router that collects them now. `stopping` until the requests under way have ended. `interrupted`: the process ended before the run did. Both
 * `stopped` and `interrupted` runs can be resumed, and a `done` one that its cap ended.
 */
export type TuningState = 'sampling' | 'running' | 'stopping' | 'stopped' | 'interrupted' | 'done'

/** Why a run ended before all its prompts were graded. */
export type TuningStop = 'user' | 'cap' | 'router_budget' | 'no_model_answers' | 'error'

/** The id of a router's shadow samples, as of a run, begins with this. */
export const shadowRunPrefix = 'shadow-'

/** A tuning run, or the shadow samples of a router. Their cap and their costs are those of the present UTC day. */
export interface TuningRun {
  id: string
  routerId: string
  routerName: string
  from: PromptSource['from'] | 'shadow'
  /** The file's name; null for other sources. */
  fileName: string | null
  state: TuningState
  /** Null while it runs and when all prompts were graded. */
  stoppedBy: TuningStop | null
  /** A sentence about it; null where there is nothing to say. */
  message: string | null
  createdAtMs: number
  endedAtMs: number | null
  judge: string | null
  models: readonly string[]
  appliesTo: AppliesTo
  prompts: {
    total: number
    /** Answered and graded. */
    graded: number
    /** Ended without a grade, because no model answered or no grade could be read. */
    ungraded: number
  }
  requests: {
    answered: number
    failed: number
    /** Requests in progress when a process ended: counted at their highest cost and not sent again. */
    lost: number
  }
  capUsd: number
  spentUsd: number
  /** The highest cost of the requests under way. */
  reservedUsd: number
  leftUsd: number
  /** An estimate; null while none is possible. */
  leftMs: number | null
}

/** A mean and its 90 % interval. */
export interface Interval {
  low: number
  mean: number
  high: number
}

export interface GradedGroup {
  prompts: number
  /** The grades as given, 0 to 1; null without a grade. */
  quality: Interval | null
}

export interface TuningModelResult {
  model: string
  all: GradedGroup
  /** Expected quality on these prompts before the run. */
  expected: number
  domains: readonly (GradedGroup & { domain: Domain })[]
  /** 1 is the easiest; read from the prompt where the source names no grade. */
  grades: readonly (GradedGroup & { grade: 1 | 2 | 3 | 4 })[]
  /** Means over its answers. */
  costUsd: number | null
  latencyMs: number | null
  outputTokens: number | null
  /** Answers that the token limit cut off; they are graded like others. */
  cut: number
  failed: number
  /** Prompts of the judge that it could not be graded on, because the judge belongs to its family. */
  ownFamily: number
}

export interface TuningJudgeResult {
  model: string
  comparisons: number
  /** Comparisons that were left out because the judge would have graded its own family. */
  ownFamily: number
  /** Answers of the judge that could not be read, also on a second try. */
  unreadable: number
  /** Grades that were given twice. */
  repeated: number
  /** The share of wrong grades, measured on these; assumed where too few were given twice. */
  errorRate: number
  isErrorRateMeasured: boolean
}

/** How a strategy would have decided the run's prompts. */
export interface TuningDecisions {
  shares: readonly { model: string; share: number }[]
  /** Total, at the measured cost of the chosen models. */
  costUsd: number
  /** Expected after the run, for both. */
  quality: number
}

/** Expected quality of a model on some of the judged prompts, from all runs and samples that apply to the router. */
export interface LearnedGroup {
  /** Null: all prompts. */
  topic: Topic | null
  /** Graded answers of the model. */
  answers: number
  /** Expected quality from the ratings alone. */
  before: number
  /** Expected quality with the grades. */
  now: Interval
}

export interface LearnedModel {
  model: string
  /** All prompts first, then the topics with enough graded answers, those with most first. */
  groups: readonly LearnedGroup[]
  /** Topics with graded answers, but too few to be called learned. */
  topicsNotLearned: number
}

export interface TuningResult {
  run: TuningRun
  models: readonly TuningModelResult[]
  /** Models with graded answers. */
  learned: readonly LearnedModel[]
  judge: TuningJudgeResult | null
  /** Null when no prompt was graded for all models. */
  change: {
    strategy: StrategyName
    prompts: number
    before: TuningDecisions
    after: TuningDecisions
    /** Below 0 when the new decisions cost more; null when the old ones were free. */
    savedShare: number | null
    qualityChange: number
  } | null
  /** One sentence about `change`. */
  summary: string
  notes: readonly string[]
}
