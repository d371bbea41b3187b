/** Codex. A child keeps the `prompt_cache_key` of its root; its thread is its own. */
import type { RequestKind } from '../../../shared/requests/session-step.ts'
import { fieldsOf, listOf } from '../../json-fields.ts'
import { hasTools, jsonFields, nameOf } from './request-forms.ts'
import type { ArrivedRequest, Asker } from './asker.ts'

interface Names {
  session: string | null
  thread: string | null
  parent: string | null
  /** What the child is for, such as `review`. */
  use: string | null
  /** `turn`, `compaction` or `prewarm`. */
  requestKind: unknown
}

export function readCodex(request: ArrivedRequest): Asker {
  const { headers, fields } = request
  const inBody = fieldsOf(fields['client_metadata'])
  const turn = jsonFields(headers['x-codex-turn-metadata'] ?? inBody['x-codex-turn-metadata'])
  const names: Names = {
    session: nameOf(headers['session-id'] ?? turn['session_id'] ?? inBody['session_id']),
    thread: nameOf(headers['thread-id'] ?? turn['thread_id'] ?? inBody['thread_id']),
    parent: nameOf(headers['x-codex-parent-thread-id']),
    use: nameOf(headers['x-openai-subagent']),
    requestKind: turn['request_kind'],
  }
  const { session, thread, parent, use } = names
  const root = session ?? thread
  return {
    client: 'codex',
    session: root,
    agent: thread === root ? null : thread,
    parentAgent: parent,
    agentType: use,
    turn: nameOf(turn['turn_id'] ?? inBody['turn_id']),
    kind: kindOf(request, names),
  }
}

function kindOf(request: ArrivedRequest, names: Names): RequestKind {
  const { session, thread, parent, use, requestKind } = names
  const isChild = thread !== null && session !== null && thread !== session
  if (requestKind === 'prewarm') return 'probe'
  if (requestKind === 'compaction' || use === 'compact' || asksForSummary(request)) {
    return 'compaction'
  }
  return parent !== null || use !== null || isChild ? 'subagent' : 'main'
}

function asksForSummary({ body, fields }: ArrivedRequest): boolean {
  if (fieldsOf(listOf(fields['input']).at(-1))['type'] === 'compaction_trigger') return true
  // Its other requests offer tools, in the list or in the input.
  return Array.isArray(fields['tools']) && !hasTools(body)
}
