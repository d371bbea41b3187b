/** Tools that run at a vendor, in every form of request: the most that their calls cost, and a request without them. */
import type { ChatRequest, WireFields } from '../../../shared/chat/chat.ts'
import { toolFeeNanoUsd } from '../../catalog/surcharges.ts'
import { countOf, fieldsOf, listOf } from '../../json-fields.ts'

/** Defined or run by the caller. */
const callersTools: ReadonlySet<string> = new Set(
  (
    'function custom namespace functionDeclarations function_declarations allowed_tools local_shell shell ' +
    'apply_patch computer computer_use computer_use_preview computerUse'
  ).split(' '),
)
const callersDatedTools = /^(bash|text_editor|computer|memory)_20/

/** Most turns of tools whose calls cost nothing: Anthropic ends an answer after as many turns of its own tools. */
const mostTurns = 10

/** The vendor's tools that a tool object stands for: one by its type, or several of Gemini's by their names. */
export function vendorTypes(tool: WireFields): readonly string[] {
  const { type, execution, environment } = tool
  if (typeof type !== 'string') {
    return 'name' in tool ? [] : Object.keys(tool).filter((name) => !callersTools.has(name))
  }
  if (type === 'tool_search' && execution === 'client') return []
  const isHosted = String(fieldsOf(environment)['type']).startsWith('container')
  return isVendors(type) || isHosted ? [type] : []
}

function isVendors(type: string): boolean {
  return !callersTools.has(type) && !callersDatedTools.test(type)
}

/** Whether the request limits the calls of each of the vendor's tools, and each call has a known price. */
export function isBounded(tool: WireFields, { max_tool_calls }: WireFields): boolean {
  const most = countOf(tool['max_uses']) ?? countOf(max_tool_calls)
  return vendorTypes(tool).every((type) => {
    const fee = toolFeeNanoUsd(type)
    return fee === 0 || (fee !== null && most !== null)
  })
}

/** The tools of the request, and those that Codex adds inside of its input. */
export function offeredTools({ tools, input }: WireFields): WireFields[] {
  const added = listOf(input).flatMap((item) => listOf(fieldsOf(item)['tools']))
  return [...listOf(tools), ...added].map(fieldsOf)
}

export interface VendorCalls {
  calls: number
  feesNanoUsd: number
}

/** The most calls of the vendor's tools, which are bounded. `max_tool_calls` is one limit for all of them. */
export function mostCalls(fields: WireFields): VendorCalls {
  const shared = countOf(fields['max_tool_calls'])
  const own = { calls: 0, feesNanoUsd: 0 }
  let sharedFee: number | null = null
  for (const tool of offeredTools(fields)) {
    for (const type of vendorTypes(tool)) {
      const fee = toolFeeNanoUsd(type) ?? 0
      const calls = countOf(tool['max_uses']) ?? (shared === null ? mostTurns : null)
      if (calls === null) sharedFee = Math.max(sharedFee ?? 0, fee)
      own.calls += calls ?? 0
      own.feesNanoUsd += (calls ?? 0) * fee
    }
  }
  if (shared === null || sharedFee === null) return own
  return { calls: own.calls + shared, feesNanoUsd: own.feesNanoUsd + shared * sharedFee }
}

/** Whether OpenAI's chat form forces a tool that only its vendor has. */
export function forcesVendorTool({ tools, tool_choice: choice }: ChatRequest): boolean {
  if (choice === 'required') return (tools ?? []).every((tool) => vendorTypes(tool).length > 0)
  const { type } = fieldsOf(choice)
  return typeof type === 'string' && isVendors(type)
}

/** Members that mean nothing without tools. */
const choices = ['tool_choice', 'toolConfig', 'tool_config', 'parallel_tool_calls'] as const
/** Anthropic's servers of tools, and the place where its tools run. */
const servers = ['mcp_servers', 'container'] as const

/** The changes of a request's JSON that leave out all tools without a highest cost; null removes a member. */
export function withoutUnbounded(fields: WireFields): Record<string, string | null> {
  const kept = keptOf(fields['tools'], fields)
  const changes: Record<string, string | null> = Object.fromEntries(
    [...servers, ...(kept.length === 0 ? choices : [])].map((name) => [name, null]),
  )
  if (fields['tools'] !== undefined) {
    changes['tools'] = kept.length === 0 ? null : JSON.stringify(kept)
  }
  if (listOf(fields['input']).some((item) => 'tools' in fieldsOf(item))) {
    changes['input'] = JSON.stringify(listOf(fields['input']).map((item) => keptIn(item, fields)))
  }
  return changes
}

function keptIn(item: unknown, fields: WireFields): unknown {
  const { tools } = fieldsOf(item)
  return tools === undefined ? item : { ...fieldsOf(item), tools: keptOf(tools, fields) }
}

function keptOf(tools: unknown, fields: WireFields): unknown[] {
  return listOf(tools)
    .map(fieldsOf)
    .flatMap((tool) => {
      if (isBounded(tool, fields)) return [tool]
      if (typeof tool['type'] === 'string') return []
      const own = Object.entries(tool).filter(([name]) => callersTools.has(name))
      return own.length === 0 ? [] : [Object.fromEntries(own)]
    })
}
