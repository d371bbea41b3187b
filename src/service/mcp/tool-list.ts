/** A server's list of tools, within limits, each with a seal by which a change is noticed. */
import { createHash } from 'node:crypto'
import type { Tool } from '@modelcontextprotocol/client'
import type { ToolDefinition } from '../../shared/chat/tools.ts'
import { limits } from './limits.ts'

export interface SealedTool {
  definition: ToolDefinition
  /** SHA-256 of everything that the server says about it, except pictures. */
  seal: string
}

export interface ToolList {
  tools: SealedTool[]
  /** What was left out, for the user; null without a problem. */
  problem: string | null
}

export function readTools(tools: readonly Tool[]): ToolList {
  if (tools.length > limits.tools) {
    return none(`The server has ${tools.length} tools; ${limits.tools} are the most that are used.`)
  }
  if (Buffer.byteLength(JSON.stringify(tools)) > limits.definitionsBytes) {
    return none('The descriptions of the server’s tools are longer than 1 MB.')
  }
  const counts = Map.groupBy(tools, ({ name }) => name)
  const isUsable = ({ name }: Tool) =>
    /^[\w.-]{1,128}$/.test(name) && counts.get(name)?.length === 1
  const usable = tools.filter(isUsable)
  const left = tools.length - usable.length
  const problem =
    left === 0 ? null : `${left} tools have names that are twice in the list or not usable.`
  return { tools: usable.map(sealed), problem }
}

function none(problem: string): ToolList {
  return { tools: [], problem }
}

function sealed(tool: Tool): SealedTool {
  const { _meta, icons: _icons, ...said } = tool
  const seal = createHash('sha256')
    .update(JSON.stringify(sorted(said)))
    .digest('hex')
  const { name, title, description = '', inputSchema, annotations } = tool
  const definition: ToolDefinition = {
    name,
    title: title ?? annotations?.title ?? null,
    description: visible(description),
    // The same JSON without its invisible characters.
    inputSchema: JSON.parse(visible(JSON.stringify(inputSchema))) as ToolDefinition['inputSchema'],
    claims: {
      isReadOnly: annotations?.readOnlyHint ?? false,
      isDestructive: annotations?.destructiveHint ?? annotations?.readOnlyHint !== true,
    },
  }
  return { definition, seal }
}

/** Without characters that a model reads and a person does not see: tags, zero widths and changes of direction. */
export function visible(text: string): string {
  return text.replaceAll(/[\u{E0000}-\u{E007F}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
}

/** The same value with the fields of each object in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]))
}

const longestName = 64

/**
 * The name by which models call a tool: `server__tool`, in the characters that every vendor takes.
 * @param taken  names of other tools, which it must not shadow; receives the name
 */
export function calledName(server: string, tool: string, taken: Set<string>): string {
  const whole = `${wordOf(server)}__${wordOf(tool)}`
  const digest = createHash('sha256').update(`${server}\n${tool}`).digest('hex').slice(0, 8)
  const isPlain = whole.length <= longestName && !taken.has(whole)
  const name = isPlain ? whole : `${whole.slice(0, longestName - 9)}_${digest}`
  taken.add(name)
  return name
}

function wordOf(text: string): string {
  return text.replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
}
