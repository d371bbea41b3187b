/** The tools that a request offers to the model: all of them, or two by which the model searches and calls the others. */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { estimateTokens } from '../chat/admission/request-needs.ts'
import { limits } from '../mcp/limits.ts'
import type { UsableTool } from '../mcp/servers.ts'
import { calledName } from '../mcp/tool-list.ts'

type ToolDefinitions = NonNullable<ChatRequest['tools']>

/** Share of a model's context from which models search for tools. */
const onDemandShare = 0.02

const foundAtMost = 10

export const findTools = 'find_tools'
export const callTool = 'call_tool'

export interface OfferedTools {
  isOnDemand: boolean
  /** Estimated tokens of the definitions as they are sent. */
  tokens: number
  definitions: ToolDefinitions
  byName: ReadonlyMap<string, UsableTool>
}

/** @param contextOf  tokens of the model that would be asked with the definitions; null when unknown */
export function offerTools(
  tools: readonly UsableTool[],
  contextOf: (definitions: ToolDefinitions) => number | null,
): OfferedTools {
  const taken = new Set([findTools, callTool])
  const byName = new Map(
    tools.map((tool) => [calledName(tool.server, tool.definition.name, taken), tool]),
  )
  const all = [...byName].map(([name, tool]) => definitionOf(name, tool))
  const tokens = tokensOf(all)
  const context = contextOf(all)
  const isOnDemand = context !== null && tokens > context * onDemandShare
  const definitions = isOnDemand ? searching(tools) : all
  return { isOnDemand, tokens: tokensOf(definitions), definitions, byName }
}

function tokensOf(definitions: ToolDefinitions): number {
  return estimateTokens(JSON.stringify(definitions).length)
}

function definitionOf(name: string, { definition }: UsableTool): ToolDefinitions[number] {
  const { description, inputSchema } = definition
  const text = description.slice(0, limits.descriptionCharacters)
  return { type: 'function', function: { name, description: text, parameters: inputSchema } }
}

function searching(tools: readonly UsableTool[]): ToolDefinitions {
  const servers = [...new Set(tools.map(({ server }) => server))].join(', ')
  const text = { type: 'string' }
  const parameters = { type: 'object', properties: { query: text }, required: ['query'] }
  const called = { name: text, arguments: { type: 'object' } }
  return [
    {
      type: 'function',
      function: {
        name: findTools,
        description: `Searches ${tools.length} tools of: ${servers}. Returns names, descriptions and parameters.`,
        parameters,
      },
    },
    {
      type: 'function',
      function: {
        name: callTool,
        description: `Calls a tool that ${findTools} returned.`,
        parameters: { type: 'object', properties: called, required: ['name', 'arguments'] },
      },
    },
  ]
}

/** The definitions that fit a search best, as JSON. */
export function searchTools({ byName }: Pick<OfferedTools, 'byName'>, query: string): string {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  const scored = [...byName].map(([name, tool]) => {
    const title = `${name} ${tool.definition.title ?? ''}`.toLowerCase()
    const text = tool.definition.description.toLowerCase()
    const score = words.reduce(
      (sum, word) => sum + (title.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0),
      0,
    )
    return { score, found: definitionOf(name, tool)['function'] }
  })
  const best = scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  // Without a match the model sees what there is.
  const shown = best.length > 0 ? best : scored
  return JSON.stringify(shown.slice(0, foundAtMost).map(({ found }) => found))
}
