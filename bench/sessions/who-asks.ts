/**
 * Who asks: whether the session, the agent and the kind of coding agents' requests are read, and how long that takes.
 * The requests are our own and, where `MODELPORT_CLIENT_DATA` names a folder, recorded ones: a JSON file each, with
 * `client`, `what`, `path`, `headers` and `body`.
 */
import type { RequestKind } from '../../src/shared/requests/session-step.ts'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { conversationIdentity } from '../../src/service/chat/learning/conversation-memory.ts'
import { conversationOfAgent, type Asker } from '../../src/service/chat/sessions/asker.ts'
import { whoAsks } from '../../src/service/chat/sessions/who-asks.ts'
import { agentRequests, arrived, type AgentRequest } from '../../test/endpoints/agent-requests.ts'
import type { Measurement } from '../measurement.ts'
import { quantile } from '../quantile.ts'

const recordingSchema = z.object({
  client: z.string(),
  what: z.string(),
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.looseObject({}).nullish(),
})

/** A request with what is known of it; a recording names its session only by a stand-in. */
type Known = Pick<AgentRequest, 'what' | 'door' | 'headers' | 'body'> & {
  expected: Pick<Asker, 'client' | 'kind'> & { isNamed: boolean; isOfAgent: boolean }
}

export async function whoAsksBars(): Promise<Measurement[]> {
  const folder = process.env['MODELPORT_CLIENT_DATA']
  const own = agentRequests.map(ownRequest)
  const hinted = agentRequests.map((one) =>
    ownRequest({ ...one, headers: { ...one.headers, ...one.hints } }),
  )
  const recorded = folder === undefined ? [] : await recordedRequests(folder)
  const all = [...own, ...recorded]
  const others = all.filter((one) => !isCheck(one))
  return [
    share('bar 1, session and agent of our requests', own.map(isNamedRight), 100),
    ...(recorded.length === 0
      ? []
      : [share('bar 1, of recorded requests', recorded.map(isNamedRight), 100)]),
    share('bar 1, made pairs apart or together', pairs(), 100),
    share('bar 2, kind with hints', hinted.map(isKindRight), 100),
    share('bar 2, kind without hints', all.map(isKindRight), 95),
    share('bar 2, safety checks', own.filter(isCheck).map(isKindRight), 100),
    share('bar 2, others taken for no safety check', others.map(isNoCheck), 100),
    ...timesOf(all),
  ]
}

function ownRequest({ expected, ...request }: AgentRequest): Known {
  const { client, session, agent, kind } = expected
  const isNamed = session !== null
  return { ...request, expected: { client, kind, isNamed, isOfAgent: agent !== null } }
}

async function recordedRequests(folder: string): Promise<Known[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  const requests = await Promise.all(names.map((name) => readRecording(join(folder, name))))
  return requests.filter((one) => one !== null)
}

/** Null for requests that no model answers. */
async function readRecording(file: string): Promise<Known | null> {
  const recording = recordingSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  const { client, what, path, body } = recording
  const door = doorOf(path)
  if (door === null || !body) return null
  const named = (['claude-code', 'codex', 'opencode'] as const).find((one) => client.includes(one))
  const headers = Object.fromEntries(
    recording.headers.map(([name, value]) => [name.toLowerCase(), value]),
  )
  const kind = kindOf(what)
  const isNamed = named !== undefined
  const expected = { client: named ?? null, kind, isNamed, isOfAgent: kind === 'subagent' }
  return { what, door, headers, body: withLists(body), expected }
}

function doorOf(path: string): Known['door'] | null {
  if (/\/v1\/messages(\?|$)/.test(path)) return 'messages'
  if (/\/v1\/responses(\?|$)/.test(path)) return 'responses'
  return path.endsWith('/v1/chat/completions') ? 'chat' : null
}

/** What was recorded, in the words of the recording. */
function kindOf(what: string): RequestKind {
  if (/title request/.test(what)) return 'title'
  if (/compaction/.test(what)) return 'compaction'
  if (/subagent/.test(what)) return 'subagent'
  return /inner request of WebSearch/.test(what) ? 'web_search' : 'main'
}

/** Tools that a recording left out, because an earlier one has them. */
function withLists(body: Record<string, unknown>): object {
  const { tools } = body
  if (tools === undefined || Array.isArray(tools)) return body
  return { ...body, tools: [{ type: 'function', name: 'left_out' }] }
}

function isCheck({ expected }: Known): boolean {
  return expected.kind === 'safety'
}

function isNoCheck(one: Known): boolean {
  return whoAsks(arrived(one)).kind !== 'safety'
}

function isKindRight(one: Known): boolean {
  return whoAsks(arrived(one)).kind === one.expected.kind
}

function isNamedRight(one: Known): boolean {
  const { client, session, agent } = whoAsks(arrived(one))
  const { expected } = one
  return (
    client === expected.client &&
    (session !== null) === expected.isNamed &&
    (agent !== null) === expected.isOfAgent
  )
}

/** Whether each pair is one conversation or two, as it should be. */
function pairs(): boolean[] {
  const identityOf = (what: string) => {
    const found = agentRequests.find((one) => one.what === what)
    if (!found) throw new Error(`no request is ${what}`)
    const request = arrived(found)
    const { body } = request
    const conversation = conversationOfAgent(whoAsks(request))
    return conversationIdentity({ routerId: 'router', apiKeyId: 'key', conversation, body })
  }
  const isSame = (one: string, other: string) => identityOf(one) === identityOf(other)
  const first = 'Claude Code: a first request'
  return [
    isSame(first, 'Claude Code: a request after a tool’s result'),
    !isSame(first, 'Claude Code: another session with the same first prompt'),
    !isSame(first, 'Claude Code: a subagent'),
    !isSame(first, 'Claude Code: a subagent that only the billing line names'),
    !isSame('Codex: a first request', 'Codex: a child'),
    !isSame('Codex: a child', 'Codex: a review'),
    !isSame('opencode: a first request', 'opencode: a subagent'),
  ]
}

function share(what: string, cases: readonly boolean[], atLeast: number): Measurement {
  const measured = (100 * cases.filter(Boolean).length) / cases.length
  return { what: `${what} (${cases.length})`, unit: '%', measured, target: { atLeast } }
}

const rounds = 200

function timesOf(requests: readonly Known[]): Measurement[] {
  const ready = requests.map(arrived)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const request of ready) {
      const startMs = performance.now()
      whoAsks(request)
      times.push(performance.now() - startMs)
    }
  }
  const unit = 'ms'
  return [
    {
      what: 'reading who asks, p50',
      unit,
      measured: quantile(times, 0.5),
      target: { atMost: 0.3 },
    },
    { what: 'reading who asks, p99', unit, measured: quantile(times, 0.99), target: { atMost: 2 } },
  ]
}
