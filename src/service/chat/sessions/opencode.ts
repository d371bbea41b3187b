/** opencode. A subagent is a session of its own that names its parent. */
import type { RequestKind } from '../../../shared/requests/session-step.ts'
import { hasTools, lastOpening, nameOf, textsOf } from './request-forms.ts'
import type { ArrivedRequest, Asker } from './asker.ts'

export function readOpencode(request: ArrivedRequest): Asker {
  const { headers } = request
  const own = nameOf(headers['x-session-id'] ?? headers['x-session-affinity'])
  const parent = nameOf(headers['x-parent-session-id'])
  return {
    client: 'opencode',
    session: parent ?? own,
    agent: parent === null ? null : own,
    parentAgent: parent,
    agentType: null,
    turn: null,
    kind: kindOf(request, parent !== null),
  }
}

function kindOf({ body }: ArrivedRequest, isChild: boolean): RequestKind {
  if (!hasTools(body)) {
    const first = body.messages.find(({ role }) => role === 'user')
    if (first !== undefined && /^generate a title\b/i.test(textsOf(first)[0] ?? '')) return 'title'
    const opening = lastOpening(body)
    const isSummary = /\bsummar|\bcontinuing (?:our|the) conversation/i.test(opening)
    if (isSummary || isSummarizer(body)) return 'compaction'
  }
  return isChild ? 'subagent' : 'main'
}

/** Since 1.18, an agent of its own writes the summary: its user message begins with the conversation. */
function isSummarizer({ messages }: ArrivedRequest['body']): boolean {
  const system = messages.find(({ role }) => role === 'system')
  const [text = ''] = system === undefined ? [] : textsOf(system)
  return /\bsummari[sz]/i.test(text.slice(0, 200))
}
