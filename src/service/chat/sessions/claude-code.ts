/**
 * Claude Code. With `CLAUDE_CODE_GATEWAY_HINT_HEADERS=1` its headers tell the kind of a request; without them, the
 * form of the request does.
 */
import type { RequestKind } from '../../../shared/requests/session-step.ts'
import { fieldsOf, listOf, stringOf } from '../../json-fields.ts'
import {
  hasTools,
  isProbe,
  jsonFields,
  lastOpening,
  nameOf,
  textsOf,
  asksForTitle,
} from './request-forms.ts'
import type { ArrivedRequest, Asker } from './asker.ts'

const kinds: ReadonlyMap<unknown, RequestKind> = new Map([
  ['main', 'main'],
  ['subagent', 'subagent'],
  ['workflow', 'subagent'],
  ['compaction', 'compaction'],
  ['auxiliary', 'other'],
])

export function readClaudeCode(request: ArrivedRequest): Asker {
  const { headers, fields } = request
  const agent = nameOf(headers['x-claude-code-agent-id'])
  return {
    client: 'claude-code',
    session: nameOf(headers['x-claude-code-session-id']) ?? sessionOf(fields['metadata']),
    agent,
    parentAgent: nameOf(headers['x-claude-code-parent-agent-id']),
    agentType: nameOf(headers['x-claude-code-agent-type']),
    turn: nameOf(headers['x-claude-code-prompt-id']),
    kind: kindOf(request),
  }
}

/** JSON in a string; older versions joined names by `_`. */
function sessionOf(metadata: unknown): string | null {
  const user = fieldsOf(metadata)['user_id']
  const joined = /_session_([\w-]{1,128})$/.exec(stringOf(user) ?? '')?.[1]
  return nameOf(jsonFields(user)['session_id'] ?? joined)
}

function kindOf(request: ArrivedRequest): RequestKind {
  const hinted = kinds.get(request.headers['x-claude-code-request-class']) ?? null
  // Hints have one word for all side requests.
  const isHinted = hinted !== null && hinted !== 'other'
  const sideKind = kindOfForm(request)
  if (sideKind !== null) return sideKind
  if (isHinted) return hinted
  const opening = lastOpening(request.body)
  if (/\b(?:user|person) (?:has )?stepped away\b/i.test(opening.slice(0, 400))) return 'title'
  return hinted ?? unhintedKind(request, opening)
}

/** What the form alone says. */
function kindOfForm({ body, fields }: ArrivedRequest): RequestKind | null {
  if (isProbe(body)) return 'probe'
  const tools = listOf(fields['tools'])
  const onlyTool = tools.length === 1 ? stringOf(fieldsOf(tools[0])['type']) : null
  if (onlyTool?.startsWith('web_search_')) return 'web_search'
  if (hasTools(body)) return null
  return asksForTitle(body) ? 'title' : null
}

function unhintedKind({ headers, body }: ArrivedRequest, opening: string): RequestKind {
  if (isSummaryRequest(opening)) return 'compaction'
  const isOfSubagent = 'x-claude-code-agent-id' in headers || hasSubagentLine(body.messages[0])
  return isOfSubagent ? 'subagent' : 'main'
}

function isSummaryRequest(opening: string): boolean {
  return /detailed summary/i.test(opening) && /\b(?:not|n't) (?:use|call) any tools/i.test(opening)
}

function hasSubagentLine(first: ArrivedRequest['body']['messages'][number] | undefined): boolean {
  if (first?.role !== 'system') return false
  const [line = ''] = textsOf(first)
  return line.startsWith('x-anthropic-billing-header:') && line.includes('cc_is_subagent=true')
}
