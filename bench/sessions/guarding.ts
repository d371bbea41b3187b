/**
 * Bars 13 and 15: the guardian on made sessions with faults, and on recorded and generated sessions whose vendors' own figures
 * are replayed. The bodies of the latter are made, because recordings have numbers only.
 */
import type { ChatUsage, WireFields } from '../../src/shared/chat/chat.ts'
import type { CacheVerdict } from '../../src/shared/requests/cache-verdict.ts'
import { CacheGuardian } from '../../src/service/chat/sessions/guardian/cache-guardian.ts'
import { prefixOf } from '../../src/service/chat/sessions/guardian/prefix.ts'
import { cacheRuleOf } from '../../src/service/routing/cache-rules.ts'
import type { Candidate } from '../../src/service/routing/candidate.ts'
import {
  clientRequest,
  VendorCache,
  withLiftedMessages,
  type Fault,
} from '../../test/sessions/agent-session.ts'
import type { Measurement } from '../measurement.ts'
import { quantile } from '../quantile.ts'
import { candidateOf } from './cost-estimate.ts'
import type { RecordedSession, SessionSet } from './recorded.ts'

const stepMs = 10_000
const opus = 'anthropic:claude-opus-5-5'

const faults: readonly [Exclude<Fault, null>, (verdict: CacheVerdict) => boolean][] = [
  [
    'lifted system messages',
    ({ culprit, place }) => culprit === 'modelport' && place?.part === 'system',
  ],
  ['clock', ({ culprit, place }) => culprit === 'client' && place?.part === 'system'],
  ['reordered tools', ({ culprit, place }) => culprit === 'client' && place?.part === 'tools'],
  ['effort', ({ culprit, place }) => culprit === 'client' && place?.part === 'effort'],
]

export function guardBars(sets: readonly SessionSet[]): Measurement[] {
  return [...faults.flatMap(faultBars), ...sets.flatMap(honestBars), ...timeBars()]
}

class Watched {
  nowMs = 0
  readonly guardian = new CacheGuardian(() => this.nowMs)

  step(
    { agent, candidate, usage }: { agent: string; candidate: Candidate; usage: ChatUsage },
    bodies: { arrived: WireFields; sent: WireFields },
  ): CacheVerdict | null {
    const before = this.guardian.before(agent, candidate.modelId)
    return this.guardian.judge({
      agent,
      session: agent,
      group: 'claude-code',
      candidate,
      usage,
      arrived: prefixOf(bodies.arrived, before?.arrived ?? null),
      sent: prefixOf(bodies.sent, before?.sent ?? null),
      adjusted: ['messages'],
    })
  }
}

function faultBars([fault, isRight]: (typeof faults)[number]): Measurement[] {
  const vendor = new VendorCache()
  const watched = new Watched()
  const candidate = candidateOf(opus)
  const verdicts: CacheVerdict[] = []
  for (let step = 0; step < 40; step += 1) {
    watched.nowMs += stepMs
    const arrived = clientRequest(step, fault)
    const sent = fault === 'lifted system messages' ? withLiftedMessages(arrived) : arrived
    const usage = vendor.usageOf(sent)
    const verdict = watched.step({ agent: fault, candidate, usage }, { arrived, sent })
    if (verdict !== null) verdicts.push(verdict)
  }
  const alarmAt = verdicts.findIndex(({ alarm }) => alarm === true)
  const untilAlarm = verdicts.slice(0, alarmAt + 1)
  const broken = verdicts.filter(({ culprit }) => culprit !== undefined)
  const lost = untilAlarm.reduce((sum, { lostNanoUsd = 0 }) => sum + lostNanoUsd, 0)
  const right = (100 * broken.filter(isRight).length) / broken.length
  return [
    bar(`bar 13, ${fault}: eligible steps to the alarm`, alarmAt === -1 ? NaN : alarmAt + 1, 10),
    { ...bar(`bar 13, ${fault}: lost until then`, lost / 1e9, 0.25), unit: 'USD' },
    {
      what: `bar 13, ${fault}: culprit right`,
      unit: '%',
      measured: right,
      target: { atLeast: 100 },
    },
  ]
}

function honestBars({ name, sessions }: SessionSet): Measurement[] {
  const watched = new Watched()
  let eligible = 0
  let broken = 0
  let alarms = 0
  for (const session of sessions) {
    for (const verdict of verdictsOf(session, watched)) {
      eligible += 1
      broken += Number(verdict.culprit !== undefined)
      alarms += Number(verdict.alarm === true)
    }
  }
  const per1000 = (1_000 * alarms) / Math.max(1, eligible)
  return [
    bar(`bar 13, ${name}: alarms in 1,000 of ${eligible} eligible steps`, per1000, 1),
    {
      what: `bar 13, ${name}: steps whose vendor lost the cache`,
      unit: '%',
      measured: (100 * broken) / Math.max(1, eligible),
      target: null,
    },
  ]
}

function verdictsOf({ id, steps }: RecordedSession, watched: Watched): CacheVerdict[] {
  const startMs = watched.nowMs
  const messages: object[] = []
  let longest = 0
  return steps.flatMap((step) => {
    const candidate = candidateOf(step.modelId)
    const { isPromised } = cacheRuleOf(candidate)
    watched.nowMs = startMs + step.endedMs
    // A prompt that shrank is a compaction: the client begins again.
    if (step.promptTokens < longest * 0.8) messages.length = 0
    longest = step.promptTokens
    messages.push({ role: 'user', content: `message ${messages.length} ${step.startedMs}` })
    const body = { system: 'You are an agent.', messages: [...messages] }
    const usage: ChatUsage = {
      prompt_tokens: step.promptTokens,
      completion_tokens: step.outputTokens,
      total_tokens: step.promptTokens + step.outputTokens,
      prompt_tokens_details: {
        cached_tokens: step.readTokens,
        ...(isPromised && { cache_write_tokens: step.writtenTokens }),
      },
    }
    return watched.step({ agent: id, candidate, usage }, { arrived: body, sent: body }) ?? []
  })
}

/** How long a prompt of two megabytes takes to be read, which happens while the vendor answers. */
function timeBars(): Measurement[] {
  const body = clientRequest(540, null)
  const text = JSON.stringify(body)
  const times = Array.from({ length: 50 }, () => {
    const startMs = performance.now()
    const before = prefixOf(body, null)
    prefixOf(JSON.parse(text) as WireFields, before)
    return performance.now() - startMs
  })
  const size = (text.length / 1e6).toFixed(1)
  return [
    {
      what: `bar 15, beside the answer: both prompts of ${size} MB read and hashed, p50`,
      unit: 'ms',
      measured: quantile(times, 0.5),
      target: null,
    },
  ]
}

function bar(what: string, measured: number, atMost: number): Measurement {
  return { what, unit: '', measured, target: { atMost } }
}
