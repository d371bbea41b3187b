/** Reads which coding agent sent a request, in which session, for which of its agents, and what for. */
import type { ArrivedRequest, Asker } from './asker.ts'
import { readClaudeCode } from './claude-code.ts'
import { readCodex } from './codex.ts'
import { readOpencode } from './opencode.ts'
import { isSafetyCheck } from './request-forms.ts'

const unknown: Asker = {
  client: null,
  session: null,
  agent: null,
  parentAgent: null,
  agentType: null,
  turn: null,
  kind: 'main',
}

/** Never throws: what a client names wrongly counts as not named. */
export function whoAsks(request: ArrivedRequest): Asker {
  const known = readClient(request)
  const isCheck = isSafetyCheck(request.body, known?.client === 'claude-code')
  if (isCheck) return { ...(known ?? unknown), kind: 'safety' }
  return known ?? unknown
}

function readClient(request: ArrivedRequest): Asker | null {
  const { headers } = request
  const program = headers['user-agent'] ?? ''
  if (/^claude-(cli|code)\//.test(program) || 'x-claude-code-session-id' in headers) {
    return readClaudeCode(request)
  }
  if (program.startsWith('codex') || ('thread-id' in headers && 'session-id' in headers)) {
    return readCodex(request)
  }
  return program.startsWith('opencode/') ? readOpencode(request) : null
}
