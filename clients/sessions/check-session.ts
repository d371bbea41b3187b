/** What must hold after a session was played: its bytes, its rows and its cost. */
import { fieldsOf, listOf, parseJsonOrNull } from '../../src/service/json-fields.ts'
import type { WireFields } from '../../src/shared/chat/chat.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { sessionStepSchema, type RequestKind } from '../../src/shared/requests/session-step.ts'
import { anthropicFormat } from '../../test/upstreams/anthropic/fake.ts'
import type { FakeFormat } from '../../test/upstreams/harness.ts'
import { openAiFormat } from '../../test/upstreams/openai-chat/fake.ts'
import { responsesFormat } from '../../test/upstreams/openai-responses/fake.ts'
import type { Door } from '../check.ts'
import { eventually } from '../test-bed.ts'
import { kindOf } from './moves.ts'
import type { PlayedSession, SessionPlace } from './play-session.ts'
import type { Exchange } from './relay.ts'
import type { Vendor } from './vendors.ts'

const formats: Readonly<Record<Door, FakeFormat>> = {
  chat: openAiFormat,
  responses: responsesFormat,
  messages: anthropicFormat,
}

export interface SessionFigures {
  requests: number
  rows: number
  billedNanoUsd: number
  readShare: number
  problems: readonly string[]
}

export async function checkSession(
  place: SessionPlace,
  { exchanges, problems }: PlayedSession,
): Promise<SessionFigures> {
  const { vendor, bed, routerId, door, agent } = place
  const asked = exchanges.filter(({ path }) =>
    /\/(messages|responses|chat\/completions)(\?|$)/.test(path),
  )
  const known = new Set(asked.map(({ id }) => id))
  const rowsOf = async () => (await bed.rows(routerId)).filter(({ source }) => source === 'api')
  const rowsOfSession = async () => (await rowsOf()).filter(({ id }) => known.has(id))
  await eventually(async () => (await rowsOfSession()).length >= asked.length)
  const rows = await rowsOfSession()
  const kinds = new Map(asked.map((exchange) => [exchange.id, kindOfExchange(exchange, door)]))
  const promptTokens = vendor.billed.reduce((sum, { usage }) => sum + usage.promptTokens, 0)
  const cachedTokens = vendor.billed.reduce((sum, { usage }) => sum + usage.cachedTokens, 0)
  return {
    requests: asked.length,
    rows: rows.length,
    billedNanoUsd: vendor.billed.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0),
    readShare: cachedTokens / promptTokens,
    problems: [
      ...problems,
      ...vendor.refused.map((why) => `refused by ${why}`),
      ...asked.flatMap(({ status, id }) =>
        status === 400 || status === null ? [`${String(status)} for ${String(id)}`] : [],
      ),
      ...rowProblems(rows, kinds, asked),
      ...byteProblems(vendor, asked, door),
      ...costProblems(vendor, rows),
      ...(agent.doors.includes(door) ? [] : ['not a door of this agent']),
    ],
  }
}

function kindOfExchange({ text }: Exchange, door: Door): RequestKind {
  const request = { method: 'POST', path: '', headers: {}, body: parseJsonOrNull(text), text }
  return kindOf(formats[door].read({ ...request, aborted: Promise.resolve() }))
}

/** One row a request, all of one session, subagents apart, each of its kind. */
function rowProblems(
  rows: readonly RequestRecord[],
  kinds: ReadonlyMap<string | null, RequestKind>,
  asked: readonly Exchange[],
): string[] {
  const sessions = new Set(rows.map(({ sessionId }) => sessionId))
  const agents = new Set(
    rows.flatMap(({ id, agentId }) => (kinds.get(id) === 'subagent' ? [agentId] : [])),
  )
  const wrong = rows.flatMap(({ id, agentId, sessionStep }) => {
    const kind = kinds.get(id)
    const step = sessionStepSchema.safeParse(parseJsonOrNull(sessionStep ?? ''))
    if (!step.success) return [`row ${id} is no step`]
    const isAgentRight = (agentId !== null) === (kind === 'subagent')
    return [
      ...(step.data.kind === kind
        ? []
        : [`row ${id} is of kind ${step.data.kind}, not ${String(kind)}`]),
      ...(isAgentRight ? [] : [`row ${id} of kind ${String(kind)} has agent ${String(agentId)}`]),
    ]
  })
  return [
    ...(rows.length === asked.length ? [] : [`${rows.length} rows for ${asked.length} requests`]),
    ...(sessions.size === 1 && !sessions.has(null) ? [] : [`${sessions.size} sessions`]),
    ...(agents.size === 1 && !agents.has(null) ? [] : [`${agents.size} subagents`]),
    ...wrong,
  ]
}

/** What a vendor gets begins like the request before wherever what arrived did. */
function byteProblems(vendor: Vendor, asked: readonly Exchange[], door: Door): string[] {
  return (['main', 'subagent'] as const).flatMap((kind) => {
    const sent = vendor.received.filter((one) => one.kind === kind)
    // Each account has its own cache.
    const broken = vendor.accounts.flatMap(({ id }) =>
      brokenLinks(sent.filter(({ account }) => account === id)),
    )
    const arrived = asked.filter((exchange) => kindOfExchange(exchange, door) === kind)
    const given = brokenLinks(arrived)
    if (broken.length <= given.length) return []
    return [
      `prefixes of ${kind} changed on the way: ${broken.join(', ')}; arrived: ${given.join(', ')}`,
    ]
  })
}

/** Where a request does not begin like the one before, as the vendor's cache compares them: block by block, without marks. */
function brokenLinks(bodies: readonly { text: string }[]): string[] {
  let before: readonly string[] = []
  const broken: string[] = []
  for (const { text } of bodies) {
    const after = blocksOf(fieldsOf(parseJsonOrNull(text)))
    const at = before.findIndex((block, index) => block !== after[index])
    if (at !== -1) broken.push(`${before[at]?.slice(0, 200)} → ${after[at]?.slice(0, 200)}`)
    before = after
  }
  return broken
}

/** Reasoning is left out: clients and vendors remove it. */
function blocksOf(body: WireFields): string[] {
  const { system, instructions } = body
  const messages = listOf(body['messages'] ?? body['input']).flatMap((message) => {
    const { content, role, type, ...others } = fieldsOf(message)
    if (type === 'reasoning') return []
    const rest = Object.entries(others).filter(([name]) => !name.startsWith('reasoning'))
    const own = rest.length > 0 ? [{ role, type, ...Object.fromEntries(rest) }] : []
    return [...own, ...partsOf(content).map((block) => ({ role, ...fieldsOf(block) }))]
  })
  const blocks = [...listOf(body['tools']), instructions, ...partsOf(system), ...messages]
  return blocks
    .filter((block) => !String(fieldsOf(block)['type']).endsWith('thinking'))
    .map((block) => JSON.stringify(block ?? null, withoutMarks))
    .filter((text) => !text.includes('x-anthropic-billing-header'))
}

/** A text counts as its lone part. */
function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map((part) => {
    const { type, text } = fieldsOf(part)
    return type === 'input_text' || type === 'output_text' ? { type: 'text', text } : part
  })
}

function withoutMarks(name: string, value: unknown): unknown {
  return name === 'cache_control' ? undefined : value
}

/**
 * Answers that came whole cost in the ledger what the vendor bills, to the nano-dollar. Of an answer that was cut, some vendors
 * never tell the usage: its row says so, and lies between half of the bill and what the prompt would cost without a cache.
 */
function costProblems({ billed, accounts }: Vendor, rows: readonly RequestRecord[]): string[] {
  const isCut = ({ modelUsed, status }: RequestRecord) => modelUsed !== null && status >= 400
  const sum = (all: readonly { nanoUsd: number }[]) =>
    all.reduce((total, one) => total + one.nanoUsd, 0)
  const whole = sum(billed.filter(({ isWhole }) => isWhole))
  const ledger = rows
    .filter((row) => !isCut(row))
    .reduce((total, { costNanoUsd }) => total + costNanoUsd, 0)
  const cutBills = billed.filter(({ isWhole }) => !isWhole)
  const cutRows = rows.filter(isCut).toSorted((a, b) => a.startedAtMs - b.startedAtMs)
  const wrongCuts = cutRows.flatMap((row, index) => {
    const bill = cutBills[index]
    if (bill === undefined) return ['a row of a cut answer that nobody billed']
    const { written = 0 } = accounts.find(({ id }) => id === bill.account)?.price ?? {}
    const cold = bill.usage.promptTokens * written * 1_000 + bill.nanoUsd
    const isNear = row.costNanoUsd >= bill.nanoUsd / 2 && row.costNanoUsd <= cold
    return isNear ? [] : [`a cut answer costs ${row.costNanoUsd}, billed ${bill.nanoUsd}`]
  })
  return [
    ...(ledger === whole ? [] : [`whole answers cost ${ledger} nano-dollars, billed ${whole}`]),
    ...(cutRows.length === cutBills.length
      ? []
      : [`${cutRows.length} rows of ${cutBills.length} cut answers`]),
    ...wrongCuts,
  ]
}
