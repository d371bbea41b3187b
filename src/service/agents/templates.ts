/**
 * Liquid for agents: parsed once, strict about variables and filters, limited in time, memory and length, without
 * the tags that read other templates. Templates cannot reach files or programs. Liquid checks its time limit between
 * the parts of a template only, so the work of a single part, a chain of filters, is limited by the sizes of its
 * texts and lists.
 */
import { Context, isTruthy, Liquid, toValueSync, Value, type FilterImplOptions } from 'liquidjs'

/** What a step's templates and expressions can see. */
export interface Scope {
  /** The text of the caller's last message. */
  input: string
  messages: readonly { role: string; content: string }[]
  steps: Readonly<Record<string, StepOutput>>
  /** In a map. */
  item?: unknown
  /** In a map; counts from 0. */
  index?: number
  /** In a loop; counts from 1. */
  iteration?: number
  /** In a loop: the output of the pass before, empty in the first. */
  previous?: string
  /** For a judge. */
  candidates?: readonly string[]
}

export interface StepOutput {
  output: string
  /** Null where the step gives no JSON, or was passed over. */
  json: unknown
}

/** A path into the scope; a part that is looked up itself is null. */
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
  /** As Liquid sees it: only false and nothing do not hold. @throws TemplateFailed */
  holds(scope: Scope): boolean
}

/** It cannot be read, or not be filled in; `message` says where and why, without any of the values. */
export class TemplateFailed extends Error {
  override readonly name = 'TemplateFailed'
}

const longestText = 1_000_000

/** For each filter: sorting or grouping more would block the service. */
const longestList = 5_000

const liquid = createLiquid()

function createLiquid(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    dynamicPartials: false,
    relativeReference: false,
    // In memory, and empty: there is no file behind any name.
    templates: {},
    parseLimit: 20_000,
    // Wall-clock ms, so with room for a machine under load: 50 failed small templates there.
    renderLimit: 200,
    // Characters and items that filters and ranges of one template work through: about 50 ms at the most.
    memoryLimit: 2_000_000,
  })
  for (const tag of ['render', 'include', 'layout', 'block']) delete engine.tags[tag]
  for (const [name, filter] of Object.entries(engine.filters)) {
    engine.registerFilter(name, withListLimit(filter))
  }
  return engine
}

function withListLimit(filter: FilterImplOptions): FilterImplOptions {
  const { handler, raw } = typeof filter === 'function' ? { handler: filter, raw: false } : filter
  return {
    raw,
    handler(value: unknown, ...args: unknown[]): unknown {
      if (Array.isArray(value) && value.length > longestList) {
        throw new Error(`a filter takes a list of ${longestList} items at most`)
      }
      return handler.call(this, value, ...args)
    },
  }
}

/** @throws TemplateFailed when it is not Liquid */
export function parseTemplate(text: string): Template {
  const parsed = attempt(() => liquid.parse(text))
  return {
    variables: attempt(() => liquid.globalVariableSegmentsSync(parsed)).map(toPath),
    render(scope) {
      const rendered = attempt(() => String(liquid.renderSync(parsed, scope)))
      if (rendered.length <= longestText) return rendered
      throw new TemplateFailed(`its text is longer than ${longestText} characters`)
    },
  }
}

/** @throws TemplateFailed when it is not a Liquid expression */
export function parseExpression(text: string): Expression {
  if (/\{\{|\}\}|\{%|%\}/.test(text)) {
    throw new TemplateFailed('an expression stands without {{ }} and {% %}')
  }
  if (/(^|\s)(and|or|contains|[=!<>]=|[<>])\s*$/.test(text)) {
    throw new TemplateFailed('it ends with an operator')
  }
  const value = attempt(() => new Value(text, liquid))
  const { variables } = parseTemplate(`{{ ${text} }}`)
  const contextOf = (scope: Scope) => new Context(scope, liquid.options, { sync: true })
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
    // Its message has a line and the name of what is missing; the lines after it quote the template.
    const [message = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new TemplateFailed(message, { cause: error })
  }
}

function toPath(segments: readonly unknown[]): VariablePath {
  return segments.map((part) =>
    typeof part === 'string' || typeof part === 'number' ? part : null,
  )
}
