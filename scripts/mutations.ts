/** Changes of a program's behaviour, found in its syntax tree. */
import { parseSync } from 'oxc-parser'

/** One change of a source. */
export interface Mutation {
  line: number
  before: string
  after: string
  /** The whole source with the change. */
  text: string
}

interface Node {
  type: string
  start: number
  end: number
}

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

/**
 * Every comparison, "and", "or" and condition of a source, each changed on its own.
 * @param file  its name, whose end says which language it is
 */
export function mutationsOf(file: string, text: string): Mutation[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  return [...nodesOf(program)].flatMap((node) => {
    const change = otherOperator(node, text) ?? negated(node, text)
    if (change === null) return []
    const { start, end, after } = change
    const line = text.slice(0, start).split('\n').length
    const changed = text.slice(0, start) + after + text.slice(end)
    return [{ line, before: text.slice(start, end), after, text: changed }]
  })
}

interface Change {
  start: number
  end: number
  after: string
}

function otherOperator(node: Node, text: string): Change | null {
  const { operator, left, right } = node as Node & Record<string, unknown>
  const after = typeof operator === 'string' ? operators[operator] : undefined
  if (typeof operator !== 'string' || after === undefined || !isNode(left) || !isNode(right))
    return null
  const start = text.indexOf(operator, left.end)
  return start < right.start ? { start, end: start + operator.length, after } : null
}

/** A condition without an operator of its own. */
function negated(node: Node, text: string): Change | null {
  const { type, test } = node as Node & Record<string, unknown>
  if (!['IfStatement', 'ConditionalExpression'].includes(type) || !isNode(test)) return null
  if (otherOperator(test, text) !== null) return null
  const { start, end } = test
  return { start, end, after: `!(${text.slice(start, end)})` }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) yield value
  for (const child of Object.values(value)) yield* nodesOf(child)
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value &&
    'end' in value
  )
}
