import { expect, test } from 'vitest'
import {
  agentRequests,
  arrived,
  type AgentRequest,
} from '../../../../test/endpoints/agent-requests.ts'
import { conversationOfAgent } from './asker.ts'
import { whoAsks } from './who-asks.ts'

const request = (what: string): AgentRequest => {
  const found = agentRequests.find((one) => one.what === what)
  if (!found) throw new Error(`no request is ${what}`)
  return found
}
const nameOf = (one: AgentRequest) => conversationOfAgent(whoAsks(arrived(one)))

test.each(agentRequests)('session, agent and kind are read: $what', (one) => {
  const hinted = { ...one, headers: { ...one.headers, ...one.hints } }

  expect(whoAsks(arrived(one))).toMatchObject(one.expected)
  expect(whoAsks(arrived(hinted))).toMatchObject(one.expected)
})

test('an agent’s requests have one name, and other agents and sessions have others', () => {
  const main = request('Claude Code: a first request')
  const same = request('Claude Code: a request after a tool’s result')
  const names = [
    main,
    request('Claude Code: another session with the same first prompt'),
    request('Claude Code: a subagent'),
    request('Claude Code: a subagent of a workflow'),
    request('Codex: a first request'),
    request('Codex: a child'),
    request('Codex: a review'),
    request('opencode: a first request'),
    request('opencode: a subagent'),
  ].map(nameOf)

  expect(nameOf(same)).toBe(names[0])
  expect(names).not.toContain(null)
  expect(new Set(names).size).toBe(names.length)
})

test.each([
  'Claude Code: a title',
  'Claude Code: a recap',
  'Claude Code: a safety check',
  'Claude Code: a probe',
  'Claude Code: a web search',
  'Claude Code: a subagent that only the billing line names',
  'opencode: a title',
])('%s has no name of the session’s conversation', (what) => {
  expect(nameOf(request(what))).toBeNull()
})

test('hints name the parent, the type of the agent and the turn', () => {
  const subagent = request('Claude Code: a subagent')
  const headers = {
    ...subagent.headers,
    'x-claude-code-parent-agent-id': 'agent-0',
    'x-claude-code-agent-type': 'Explore',
    'x-claude-code-prompt-id': 'prompt-7',
  }
  const child = request('Codex: a child')
  const ofCodex = { ...child, headers: { ...child.headers, ...child.hints } }

  expect(whoAsks(arrived({ ...subagent, headers }))).toMatchObject({
    parentAgent: 'agent-0',
    agentType: 'Explore',
    turn: 'prompt-7',
  })
  expect(whoAsks(arrived(ofCodex))).toMatchObject({ parentAgent: 'root', turn: 'turn-1' })
})

test.each(['', 'x'.repeat(129), 'two\nlines', 'ü'])(
  'a session named %j counts as not named',
  (name) => {
    const main = request('Claude Code: a first request')
    const headers = { ...main.headers, 'x-claude-code-session-id': name }

    expect(whoAsks(arrived({ ...main, headers })).session).toBeNull()
  },
)

test('metadata that are no JSON say nothing', () => {
  const child = request('Codex: a first request')
  const headers = { ...child.headers, 'x-codex-turn-metadata': '{"request_kind":' }

  expect(whoAsks(arrived({ ...child, headers }))).toMatchObject({ kind: 'main', turn: null })
})
