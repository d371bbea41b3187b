/**
 * Broken requests on each way into the service, sent to one with the fast lane and to one without it. No answer is a
 * 5xx, none takes longer than a second, every error has its family's form, and both services answer the same.
 */
import { beforeAll, expect, test } from 'vitest'
import { row } from '../../bench/row.ts'
import { apply, prompt } from '../agents/sample-agent.ts'
import { seeded, type Chance } from '../agents/random.ts'
import { carriedByAllDoors, doorForms } from '../endpoints/random-bodies.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { randomRequest } from '../upstreams/random-conversation.ts'
import { expectMeasured, isTorture, randomSeeds, tortureTimeoutMs } from './amounts.ts'
import { breakBytes, breakValue } from './broken-json.ts'
import { breakHead, headOf, hostileKey } from './broken-heads.ts'
import { RawExchange, type RawAnswer } from './raw-exchange.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const allSeeds = randomSeeds({ quick: 100, full: 20_000 })
const atOnce = 16
const longestMs = isTorture ? 1_000 : 10_000

/** A request without the names of one service. */
interface Case {
  path: string
  /** Null for the service's own key. */
  key: string | null
  body: Buffer
  /** Changes the bytes of the whole request. */
  change?: (head: string) => string
  /** Whether the bytes may leave the request unfinished. */
  mayWait?: boolean
}

interface Way {
  next: (chance: Chance) => Case
}

const chatBody = (chance: Chance) =>
  randomRequest(
    { chance, carries: (feature) => carriedByAllDoors.includes(feature), reasoning: null },
    'Question',
  )

function brokenBody(chance: Chance, body: unknown): Buffer {
  const value = chance.isTrue(0.8) ? breakValue(chance, body) : body
  const bytes = Buffer.from(JSON.stringify(value))
  return chance.isTrue(0.25) ? breakBytes(chance, bytes) : bytes
}

const doorWay = ({ path, body }: (typeof doorForms)[keyof typeof doorForms]): Way => ({
  next: (chance) => ({
    path,
    key: null,
    body: brokenBody(chance, { ...body(chatBody(chance)), stream: chance.isTrue(0.3) }),
  }),
})
const hello = Buffer.from('{"messages":[{"role":"user","content":"Hello"}]}')

const ways: Record<string, Way> = {
  chat: doorWay(doorForms.chat),
  responses: doorWay(doorForms.responses),
  messages: doorWay(doorForms.messages),
  gemini: doorWay(doorForms.gemini),
  embeddings: {
    next: (chance) => ({
      path: 'v1/embeddings',
      key: null,
      body: brokenBody(chance, { model: 'fake:one', input: ['a', 'b'], dimensions: 4 }),
    }),
  },
  agents: {
    next: (chance) => ({
      path: 'v1/chat/completions',
      key: null,
      body: brokenBody(chance, { ...chatBody(chance), model: 'agent:test' }),
    }),
  },
  keys: {
    next: (chance) => ({
      path: chance.pick([
        'v1/chat/completions',
        'v1/messages',
        'v1beta/models/auto:generateContent',
        'v1/models',
      ]),
      key: hostileKey(chance),
      body: hello,
    }),
  },
  'raw HTTP': {
    next: (chance) => ({
      path: 'v1/chat/completions',
      key: null,
      body: hello,
      change: (head) => breakHead(chance, head),
      mayWait: true,
    }),
  },
}

interface Side {
  running: TestService
  exchanges: RawExchange[]
}

const sides: Side[] = []

const atEnd = endOfGroup()
beforeAll(async () => {
  for (const fastLane of [true, false]) {
    const running = await startTestService(
      {
        models: { one: { text: 'Fine.' } },
        router: { tier: 'enterprise' },
        // The delay of wrong keys has its own test.
        service: { wrongKeyDelayMs: 0 },
      },
      atEnd,
    )
    await running.service.dashboard.setSetting('fastLane', fastLane)
    await apply(running, [prompt('only', { user: '{{ input }}' })])
    const exchanges = await Promise.all(
      Array.from({ length: atOnce }, () => RawExchange.to(running)),
    )
    sides.push({ running, exchanges })
  }
  atEnd(() => {
    for (const { exchanges } of sides) for (const exchange of exchanges) exchange.close()
  })
})

/** Names as long as the real ones. A change within them is then the same for both services. */
const names = {
  router: 'router_NAMENAMENAMENAME',
  host: 'localhost:PORT0',
  key: `mp_${'KEY'.repeat(12)}`,
}

function bytesOf({ path, key, body, change }: Case, { running }: Side): Buffer {
  const { origin, routerId, apiKey } = running
  const head = headOf({
    target: `/api/router/${names.router}/${path}`,
    host: names.host,
    key: key ?? names.key,
    length: body.length,
  })
  const text = (change === undefined ? head : change(head))
    .replaceAll(names.router, routerId)
    .replaceAll(names.host, new URL(origin).host)
    .replaceAll(names.key, apiKey)
  return Buffer.concat([Buffer.from(text, 'latin1'), body])
}

/** The answer without what differs between two services and two moments. */
function comparable({ status, body }: RawAnswer, { running }: Side): string {
  if (status === 200) return '200'
  // Ids first: one may contain the digits of the port.
  const text = body
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, 'ID')
    .replaceAll(running.routerId, 'ROUTER')
    .replaceAll(new URL(running.origin).host, 'HOST')
  return `${status} ${text}`
}

/** @returns what is wrong with an answer by itself; null if nothing is */
function problemOf({ status, headers, body }: RawAnswer, mayWait: boolean): string | null {
  if (status <= 0) return mayWait ? null : status === 0 ? 'closed' : 'no answer within a second'
  if (status >= 500) return `status ${status}: ${body}`
  if (status < 400) return null
  if (headers.get('cache-control') !== 'no-store') return 'cacheable error'
  if (!/^[0-9a-f-]{36}$/.test(headers.get('x-request-id') ?? '')) return 'no request id'
  return isErrorBody(body) ? null : `not an error's form: ${body.slice(0, 200)}`
}

function isErrorBody(body: string): boolean {
  try {
    const { error } = JSON.parse(body) as { error?: Record<string, unknown> }
    const type = error?.['type'] ?? error?.['status']
    return typeof error?.['message'] === 'string' && typeof type === 'string'
  } catch {
    return false
  }
}

interface Finding {
  seed: number
  problems: string[]
  /** The answers of both services, if they differ. */
  difference: string[] | null
  /** Whether an answer was missing: only time was. */
  isLate: boolean
  request: string
}

/** Sends one case to both services. @returns null when nothing is wrong */
async function examine(way: Way, seed: number, place: number): Promise<Finding | null> {
  const problems: string[] = []
  let isLate = false
  const answers = await Promise.all(
    sides.map(async (side) => {
      const asked = way.next(seeded(seed))
      const { mayWait = false } = asked
      const exchange = side.exchanges[place]
      if (!exchange) throw new Error('no connection')
      // The rest of a broken request must not become part of the next one.
      if (mayWait) exchange.close()
      const answer = await exchange.send(bytesOf(asked, side), mayWait ? 250 : longestMs)
      const problem = problemOf(answer, mayWait)
      if (problem !== null) problems.push(problem)
      isLate ||= answer.status === -1
      answered.add(answer.status)
      return comparable(answer, side)
    }),
  )
  const difference = answers[0] === answers[1] ? null : answers
  if (problems.length === 0 && difference === null) return null
  const [side] = sides
  const request = side
    ? bytesOf(way.next(seeded(seed)), side)
        .toString()
        .slice(0, 600)
    : ''
  return { seed, problems, difference, isLate, request }
}

/** The status of each answer. */
const answered = new Set<number>()

test.each(Object.entries(ways))(
  'broken requests to %s get errors in the right form, the same with and without the fast lane',
  { timeout: tortureTimeoutMs },
  async (name, way) => {
    const findings: Finding[] = []
    const late: Finding[] = []
    const seeds = allSeeds.values()
    const examineAll = async (place: number): Promise<void> => {
      for (const seed of seeds) {
        const finding = await examine(way, seed, place)
        if (finding !== null) (finding.isLate ? late : findings).push(finding)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, (_, place) => examineAll(place)))
    // A busy computer makes an answer late once; a request that hangs does so again, alone.
    for (const { seed } of late) {
      const again = await examine(way, seed, 0)
      if (again !== null) findings.push(again)
    }
    // Errors are reached.
    expect([...answered].some((status) => status >= 400)).toBe(true)
    const wrong = findings.filter(({ problems }) => problems.length > 0).length
    const differing = findings.filter(({ difference }) => difference !== null).length
    expectMeasured(
      [
        row(`broken requests to ${name}`, [allSeeds.length, ''], {
          target: { atLeast: allSeeds.length },
        }),
        row('5xx, hang or wrong form', [wrong, ''], { target: { atMost: 0 } }),
        row('differences of the fast lane', [differing, ''], { target: { atMost: 0 } }),
        row('late once, not when repeated', [late.length, '']),
      ],
      findings.slice(0, 3),
    )
  },
)
