/**
 * Reads a definition in YAML or JSON (a subset of YAML) and lists its errors by line and field. The text is not
 * trusted: aliases, which can expand without bound, and custom types are refused.
 */
import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml'
import type { z } from 'zod'
import { agentDefinitionSchema } from '../../shared/agents/agent.ts'
import type { DefinitionIssue } from '../../shared/agents/agent-window.ts'
import { inputMessage } from '../../shared/chat/input-messages.ts'
import { issuesOfCalls, type AgentOf } from './check-calls.ts'
import { compileAgent } from './compile-agent.ts'
import type { CompiledAgent, Issue } from './compiled.ts'
import { findSecret } from './find-secret.ts'

export type ReadDefinition =
  | { ok: true; agent: CompiledAgent }
  | { ok: false; issues: readonly DefinitionIssue[] }

const maxLength = 256 * 1024
const maxNesting = 64
const maxIssues = 20

/**
 * Never throws.
 * @param agentOf  the agents that can be called; without it, calls are not checked
 */
export function readDefinition(text: string, agentOf?: AgentOf): ReadDefinition {
  if (text.length > maxLength) return refusal('a definition is at most 256 KiB')
  const control = findControl(text)
  if (control) return { ok: false, issues: [control] }
  const secret = secretIssue(text)
  if (secret) return { ok: false, issues: [secret] }
  try {
    return readText(text, agentOf)
  } catch (error) {
    // The parser and the checks are recursive.
    if (error instanceof RangeError) return refusal('it is nested too deeply')
    throw error
  }
}

function readText(text: string, agentOf?: AgentOf): ReadDefinition {
  const lines = new LineCounter()
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' })
  const issues = syntaxIssues(parsed, lines)
  if (issues.length > 0) return { ok: false, issues }
  const value: unknown = parsed.toJS()
  if (isDeeperThan(value, maxNesting)) return refusal('it is nested too deeply')
  const checked = agentDefinitionSchema.safeParse(value, { error: inputMessage })
  if (!checked.success) {
    return { ok: false, issues: locate(checked.error.issues.flatMap(toIssues), parsed, lines) }
  }
  const { agent, issues: ofGraph } = compileAgent(checked.data)
  const found = agentOf ? [...ofGraph, ...issuesOfCalls(agent, agentOf)] : ofGraph
  return found.length === 0
    ? { ok: true, agent }
    : { ok: false, issues: locate(found, parsed, lines) }
}

/** One line per error: `line 3, column 5, steps[1].user: …`. */
export function wordsForIssues(issues: readonly DefinitionIssue[]): string {
  return issues
    .map(({ line, column, field, message }) => {
      const place = `line ${line}, column ${column}`
      return field === '' ? `${place}: ${message}` : `${place}, ${field}: ${message}`
    })
    .join('\n')
}

/** An error of the whole text. */
export function refusal(message: string): ReadDefinition {
  return { ok: false, issues: [{ line: 1, column: 1, field: '', message }] }
}

function secretIssue(text: string): DefinitionIssue | null {
  const message =
    'this looks like a key; definitions are shown and exported, so they cannot contain keys'
  return issueAtIndex(text, findSecret(text), message)
}

/** Definitions are printed unchanged, so they cannot contain terminal commands or direction marks. */
const steering = /(?![\n\r\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u

function findControl(text: string): DefinitionIssue | null {
  const message = 'this is a control character; write it as an escape such as "\\u0007"'
  return issueAtIndex(text, steering.exec(text)?.index ?? null, message)
}

function issueAtIndex(text: string, index: number | null, message: string): DefinitionIssue | null {
  if (index === null) return null
  const before = text.slice(0, index).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  return { line: before.length, column, field: '', message }
}

function syntaxIssues(document: Document, lines: LineCounter): DefinitionIssue[] {
  const issues = [...document.errors, ...document.warnings].map(({ pos: [start], message }) =>
    issueAt(start, { field: '', message, lines }),
  )
  visit(document, {
    Alias(_key, { range }) {
      const message = 'aliases are not supported; write the value out'
      issues.push(issueAt(range?.[0] ?? 0, { field: '', message, lines }))
    },
    Pair(_key, { key }) {
      if (isScalar(key) || !isNode(key)) return
      const message = 'a field’s name must be text'
      issues.push(issueAt(key.range?.[0] ?? 0, { field: '', message, lines }))
    },
  })
  return issues.slice(0, maxIssues)
}

function issueAt(
  offset: number,
  { field, message, lines }: { field: string; message: string; lines: LineCounter },
): DefinitionIssue {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col), field, message }
}

/** The errors of an issue: one for each unknown field, with its own place. */
function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown field' }))
}

function locate(
  issues: readonly Issue[],
  document: Document,
  lines: LineCounter,
): DefinitionIssue[] {
  return issues.slice(0, maxIssues).map(({ path, message }) => {
    const field = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
    return issueAt(offsetOf(path, document), { field: field.replace(/^\./, ''), message, lines })
  })
}

/** The offset of the field's name or value; for a missing field, of the object that should contain it. */
function offsetOf(path: Issue['path'], document: Document): number {
  const name = path.at(-1)
  const parent = nodeAt(path.slice(0, -1), document)
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
    if (pair && isNode(pair.key) && pair.key.range) return pair.key.range[0]
  }
  for (let length = path.length; length >= 0; length -= 1) {
    const range = nodeAt(path.slice(0, length), document)?.range
    if (range) return range[0]
  }
  return 0
}

function nodeAt(path: Issue['path'], document: Document): Node | null {
  const found: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
  return isNode(found) ? found : null
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((child) => isDeeperThan(child, levels - 1))
}
