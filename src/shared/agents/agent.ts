/**
 * The definition of an agent, a named workflow of model requests. The types and `resources/agent.schema.json`, which
 * editors read, derive from the schema in this file. Names are those of the file, and of the wire for the same values.
 * `service/agents` checks what a schema cannot express, such as cycles and unknown variables.
 */
import { z } from 'zod'
import { modelIdSchema, type RequestSource } from '../entities.ts'

/** Requests name an agent as `agent:<slug>` (contract section 2). */
export const agentSlugSchema = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'Use 1 to 64 lower-case letters, digits and dashes')

/** A step's id, without dashes, which are ambiguous in a template. */
const stepIdSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    'Use 1 to 40 lower-case letters, digits and underscores, starting with a letter',
  )
  .describe('Templates and needs name the step by it')

const template = z
  .string()
  .max(20_000, 'Use 20,000 characters at most')
  .describe('A Liquid template that can use input, messages and the steps it needs')
const expression = z
  .string()
  .min(1, 'Enter an expression')
  .max(1_000, 'Use 1,000 characters at most')
  .describe('A Liquid expression, such as: steps.check.json.score > 0.7 and input contains "code"')

/** Upper bounds that no workflow of prompts needs to exceed. */
const greatest = { steps: 1_000, seconds: 3_600, costUsd: 1_000, items: 1_000, concurrency: 32 }

/** The limits of each execution; the same for every graph. */
const agentLimitsSchema = z.strictObject({
  max_cost_usd: z.number().min(0).max(greatest.costUsd).default(1).describe('US dollars'),
  max_steps: z.int().min(1).max(greatest.steps).default(100).describe('Requests to models'),
  max_seconds: z.number().gt(0).max(greatest.seconds).default(300).describe('Seconds of one run'),
})

const common = {
  id: stepIdSchema,
  needs: z.array(stepIdSchema).max(50).default([]).describe('Steps that must finish first'),
  skip_if: expression.optional().describe('When true, the step is skipped and its output is empty'),
  time_limit_seconds: z
    .number()
    .gt(0)
    .max(greatest.seconds)
    .optional()
    .describe('Time limit for all attempts together'),
  retries: z.int().min(0).max(5).default(0).describe('Retries after temporary failures'),
  fallback: z.string().max(20_000).optional().describe('The output when the step fails'),
}

/** The fields of one request to a model. */
const askSchema = z.strictObject({
  system: template.optional().describe('A template for the instructions of the model'),
  user: template.describe('A template for the message that the model answers'),
  router: z.string().optional().describe('The id of a router; by default that of the request'),
  model: modelIdSchema
    .optional()
    .describe('provider:model of the router; by default the router chooses'),
  temperature: z.number().min(0).max(2).optional().describe('Higher values vary the answer more'),
  max_tokens: z.int().min(1).optional().describe('The longest answer, in tokens'),
})

const promptStepSchema = askSchema.safeExtend({
  ...common,
  type: z.literal('prompt'),
  json_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The answer must be JSON that matches this schema; retried once if it does not'),
})

const judgeStepSchema = z.strictObject({
  ...common,
  type: z.literal('judge'),
  candidates: z.int().min(2).max(10).describe('The number of answers to compare'),
  mode: z
    .enum(['pick', 'merge'])
    .default('pick')
    .describe('pick: the judge selects an answer; merge: it writes one from all'),
  candidate: askSchema.describe('The request of each answer'),
  judge: askSchema.describe('Its templates can use candidates, the list of answers'),
})

const textStepSchema = z.strictObject({
  ...common,
  type: z.literal('text'),
  text: template,
})

const agentStepSchema = z.strictObject({
  ...common,
  type: z.literal('agent'),
  agent: agentSlugSchema.describe('The name of another agent; the limits of both apply'),
  input: template.default('{{ input }}').describe('A template for the input of the other agent'),
})

// Types of steps that contain steps are written out, because a recursive schema cannot infer its own type.
const branchStepSchema = z.strictObject({
  ...common,
  type: z.literal('branch'),
  cases: z
    .array(
      z.strictObject({
        when: expression.describe('A condition'),
        get steps() {
          return stepsSchema
        },
      }),
    )
    .min(1)
    .max(20)
    .describe('The first case whose condition is true runs'),
  get else(): z.ZodOptional<z.ZodType<Step[], StepInput[]>> {
    return stepsSchema.optional().describe('Runs when no condition is true')
  },
})

const mapStepSchema = z.strictObject({
  ...common,
  type: z.literal('map'),
  over: expression.describe('A Liquid expression for a list; its steps can use item and index'),
  concurrency: z
    .int()
    .min(1)
    .max(greatest.concurrency)
    .default(4)
    .describe('How many items run at the same time'),
  max_items: z
    .int()
    .min(1)
    .max(greatest.items)
    .default(100)
    .describe('A longer list fails the step'),
  get steps() {
    return stepsSchema
  },
})

const loopStepSchema = z.strictObject({
  ...common,
  type: z.literal('loop'),
  until: expression.optional().describe('A condition that ends the loop, checked after each pass'),
  max_iterations: z.int().min(1).max(50).describe('The highest number of passes'),
  get steps() {
    return stepsSchema
  },
})

interface Common extends Omit<z.output<typeof agentStepSchema>, 'type' | 'agent' | 'input'> {}

export type Ask = z.output<typeof askSchema>
export type PromptStep = z.output<typeof promptStepSchema>
export type TextStep = z.output<typeof textStepSchema>
export type JudgeStep = z.output<typeof judgeStepSchema>
export type AgentStep = z.output<typeof agentStepSchema>
export interface BranchStep extends Common {
  type: 'branch'
  cases: { when: string; steps: Step[] }[]
  else?: Step[] | undefined
}
export interface MapStep extends Common {
  type: 'map'
  over: string
  concurrency: number
  max_items: number
  steps: Step[]
}
export interface LoopStep extends Common {
  type: 'loop'
  until?: string | undefined
  max_iterations: number
  steps: Step[]
}
export type Step = PromptStep | TextStep | JudgeStep | AgentStep | BranchStep | MapStep | LoopStep

/** A step as written in a file, without defaults. */
type StepInput = { id: string; type: Step['type'] } & Record<string, unknown>

const stepSchema: z.ZodType<Step, StepInput> = z
  .discriminatedUnion('type', [
    promptStepSchema,
    textStepSchema,
    judgeStepSchema,
    agentStepSchema,
    branchStepSchema,
    mapStepSchema,
    loopStepSchema,
  ])
  .meta({ id: 'step' })

const stepsSchema: z.ZodType<Step[], StepInput[]> = z
  .array(stepSchema)
  .min(1, 'Add at least one step')
  .max(50, 'Use 50 steps at most')

export const agentDefinitionSchema = z.strictObject({
  name: agentSlugSchema.describe('The name in the model field of a request: agent:<name>'),
  description: z.string().max(500).default('').describe('One sentence for the list of agents'),
  limits: agentLimitsSchema.prefault({}).describe('A run ends when it would exceed one of them'),
  steps: stepsSchema.describe('The last step is the answer'),
})
export type AgentDefinition = z.output<typeof agentDefinitionSchema>

// ---- executions --------------------------------------------------------------------------------

/** The result of one step. Times are ms from the start of the execution. */
export const stepTraceSchema = z.strictObject({
  /** Id of the step; in a called agent it starts with the calling step's id: `outer/inner`. */
  stepId: z.string(),
  type: z.enum(['prompt', 'text', 'judge', 'agent', 'branch', 'map', 'loop']),
  outcome: z.enum(['done', 'skipped', 'fallback', 'failed', 'cancelled']),
  startedMs: z.number(),
  tookMs: z.number(),
})
export type StepTrace = z.output<typeof stepTraceSchema>

/** `interrupted`: the process ended before the execution did. */
export type ExecutionState = 'running' | 'done' | 'failed' | 'interrupted'

/** One run of an agent. Its figures are the sums of its steps' rows in the ledger. */
export interface Execution {
  /** The request's id (UUIDv7); `execution_id` on the wire. */
  id: string
  agent: string
  agentVersion: number
  routerId: string
  apiKeyId: string | null
  source: RequestSource
  isStreamed: boolean
  startedAtMs: number
  state: ExecutionState
  /** HTTP status; null while running or when the caller left. */
  status: number | null
  errorCode: string | null
  failedStep: string | null
  /** Null while running or when unknown. */
  latencyMs: number | null
  /** Steps that ran, those without a model too; a step that ran twice counts twice. */
  steps: number
  costNanoUsd: number
  carbonGrams: number
  /** Models in the order in which they first answered. */
  models: string[]
  /** The first thousand steps, in the order in which they ended. */
  trace: StepTrace[]
}

/** The fields of an execution that are known when it starts. */
type ExecutionStart = Pick<
  Execution,
  | 'id'
  | 'agent'
  | 'agentVersion'
  | 'routerId'
  | 'apiKeyId'
  | 'source'
  | 'isStreamed'
  | 'startedAtMs'
>

/** An execution before its first request. */
export function startedExecution(start: ExecutionStart): Execution {
  return {
    ...start,
    state: 'running',
    status: null,
    errorCode: null,
    failedStep: null,
    latencyMs: null,
    steps: 0,
    costNanoUsd: 0,
    carbonGrams: 0,
    models: [],
    trace: [],
  }
}

/** The graphs that a step contains; none for steps without inner steps. */
export function graphsOf(step: Step): Step[][] {
  switch (step.type) {
    case 'branch':
      return [...step.cases.map(({ steps }) => steps), ...(step.else ? [step.else] : [])]
    case 'map':
    case 'loop':
      return [step.steps]
    default:
      return []
  }
}

/** The published JSON Schema, for editors and other validators. */
export function agentJsonSchema(): object {
  return {
    title: 'A Modelport agent',
    ...z.toJSONSchema(agentDefinitionSchema, { io: 'input' }),
  }
}
