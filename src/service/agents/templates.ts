/**
 * Liquid for agents: parsed once, strict about variables and filters, without the tags that read other templates.
 * Templates cannot reach files or programs. Their work is limited by counts, so that the same template always ends
 * at the same place: operations (parts rendered, filters, comparisons), characters and items that filters and ranges
 * process, the length of a list in a filter, and the length of the result. A limit of processor time is a backstop for
 * work that no count covers, such as a `case` with thousands of values inside a loop.
 */
import {
  Context,
  defaultOperators,
  isTruthy,
  Liquid,
  type Operators,
  toValueSync,
  Value,
  type FilterImplOptions,
} from 'liquidjs'

/** What a step's templates and expressions can see. */
export interface Scope {
  /** The text of the caller's last message. */
  input: string
  messages: readonly { role: string; content: string }[]
  steps: Readonly<Record<string, StepOutput>>
  /** The element that this run of a map works on. */
  item?: unknown
  /** Position of the element in a map, from 0. */
  index?: number
  /** Number of the pass in a loop, from 1. */
  iteration?: number
  /** Output of the previous pass in a loop; empty in the first. */
  previous?: string
  /** The answers that a judge compares. */
  candidates?: readonly string[]
}

export interface StepOutput {
  output: string
  /** Null when the step gives no JSON or was skipped. */
  json: unknown
}

/** A path into the scope. A part that is itself a variable is null. */
export type VariablePath = readonly (string | number | null)[]

export interface Template {
  variables: readonly VariablePath[]
  /** @throws TemplateFailed */
  render(scope: Scope): string
}

export interface Expression {
  variables: readonly VariablePath[]
  /** @throws TemplateFailed */
  value(scope: Scope): unknown
  /** Whether a value is true by Liquid's rule: everything except false and nil. @throws TemplateFailed */
  holds(scope: Scope): boolean
}

/** A template that cannot be parsed or rendered. `message` gives the place and the reason, never a value. */
export class TemplateFailed extends Error {
  override readonly name = 'TemplateFailed'
}

const longestText = 1_000_000

/** Items of a list given to a filter: sorting or grouping more would block the service. */
const longestList = 5_000

/** Operations of one template: a loop over 1,000 items with 20 parts, filters and comparisons each fits. */
const maxOperations = 20_000

/** Processor time of one rendering in ms. A busy machine must not fail a template that stays within the counts. */
const longestMs = 500

const liquid = createLiquid()

function createLiquid(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    dynamicPartials: false,
    relativeReference: false,
    operators: countedOperators(),
    outputEscape: withObjectsAsJson,
    // In memory and empty: no name leads to a file.
    templates: {},
    parseLimit: 20_000,
    // Characters and items that the filters and ranges of one template process: about 50 ms at most.
    memoryLimit: 2_000_000,
  })
  for (const tag of ['render', 'include', 'layout', 'block']) delete engine.tags[tag]
  for (const [name, filter] of Object.entries(engine.filters)) {
    engine.registerFilter(name, withLimits(filter))
  }
  return engine
}

function countedOperators(): Operators {
  const operators = Object.entries(defaultOperators)
  return Object.fromEntries(operators.map(([name, operator]) => [name, withCount(operator)]))
}

function withCount(operator: Operators[string]): Operators[string] {
  // Liquid passes one or two operands, then the context.
  return (...args: [unknown, unknown, Context?]) => {
    const context = args.find((arg) => arg instanceof Context)
    if (context) countOperations(context, 1 + itemsOf(args[0]))
    return (operator as (...all: unknown[]) => ReturnType<typeof operator>)(...args)
  }
}

function withLimits(filter: FilterImplOptions): FilterImplOptions {
  const { handler, raw } = typeof filter === 'function' ? { handler: filter, raw: false } : filter
  return {
    raw,
    handler(value: unknown, ...args: unknown[]): unknown {
      const items = itemsOf(value)
      if (items > longestList) {
        throw new Error(`a filter takes a list of at most ${longestList} items`)
      }
      countOperations(this.context, 1 + items)
      return handler.call(this, value, ...args)
    },
  }
}

type FilterHandler = Extract<FilterImplOptions, (...args: never) => unknown>

/** Liquid writes an object as `[object Object]`. The filter `json` keeps to the limits. */
function withObjectsAsJson(this: ThisParameterType<FilterHandler>, value: unknown): string {
  const isJson = isPlainObject(value) || (isList(value) && value.some(isListOrObject))
  // Liquid writes every other value as text.
  if (!isJson) return value as string
  const json = this.liquid.filters['json']
  const write = typeof json === 'function' ? json : json?.handler
  return String(write?.call(this, value))
}

function isListOrObject(value: unknown): boolean {
  return isList(value) || isPlainObject(value)
}

/** False for Liquid's own objects, such as `forloop`, which know how they are written. */
function isPlainObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

function itemsOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

/** A context for one rendering: its `renderLimit` counts operations and processor time in place of time. */
function contextOf(scope: Scope): Context {
  const context = new Context(scope, liquid.options, { sync: true }, { liquid })
  const startedAtMs = performance.now()
  const usedBefore = processorTime()
  // Liquid calls this before each part of a template.
  context.renderLimit.check = () => {
    countOperations(context, 1)
    // Asking for processor time takes longer, so only what has taken its time is asked.
    if (performance.now() - startedAtMs < longestMs) return
    const used = processorTime()
    if ((used.user + used.system - usedBefore.user - usedBefore.system) / 1_000 >= longestMs) {
      throw new Error(`a template has at most ${longestMs} ms of processor time`)
    }
  }
  return context
}

/** Node before 23.9, as in Electron 33, does not know the time of a thread. */
const thisProcess: Partial<NodeJS.Process> = process

/** In microseconds: of this thread, or else of the whole process. */
function processorTime(): NodeJS.CpuUsage {
  return thisProcess.threadCpuUsage?.() ?? process.cpuUsage()
}

/** Keyed by the limit, which the contexts that Liquid derives for filters share with their first one. */
const operationCounts = new WeakMap<Context['renderLimit'], number>()

function countOperations({ renderLimit }: Context, operations: number): void {
  const sum = (operationCounts.get(renderLimit) ?? 0) + operations
  if (sum > maxOperations) throw new Error(`a template has at most ${maxOperations} operations`)
  operationCounts.set(renderLimit, sum)
}

/** @throws TemplateFailed when it is not Liquid */
export function parseTemplate(text: string): Template {
  const parsed = attempt(() => liquid.parse(text))
  return {
    variables: attempt(() => liquid.globalVariableSegmentsSync(parsed)).map(toPath),
    render(scope) {
      const rendered = attempt(() => String(liquid.renderSync(parsed, contextOf(scope))))
      if (rendered.length <= longestText) return rendered
      throw new TemplateFailed(`its result is longer than ${longestText} characters`)
    },
  }
}

/** @throws TemplateFailed when it is not a Liquid expression */
export function parseExpression(text: string): Expression {
  if (/\{\{|\}\}|\{%|%\}/.test(text)) {
    throw new TemplateFailed('write an expression without {{ }} and {% %}')
  }
  if (/(^|\s)(and|or|contains|[=!<>]=|[<>])\s*$/.test(text)) {
    throw new TemplateFailed('it ends with an operator')
  }
  const value = attempt(() => new Value(text, liquid))
  const { variables } = parseTemplate(`{{ ${text} }}`)
  return {
    variables,
    value: (scope) => attempt((): unknown => toValueSync(value.value(contextOf(scope)))),
    holds: (scope) => {
      const context = contextOf(scope)
      return attempt(() => isTruthy(toValueSync(value.value(context)), context))
    },
  }
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    // The first line gives the place and the name of a missing variable. The other lines quote the template.
    const [message = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new TemplateFailed(message, { cause: error })
  }
}

function toPath(segments: readonly unknown[]): VariablePath {
  return segments.map((part) =>
    typeof part === 'string' || typeof part === 'number' ? part : null,
  )
}
