/** What the mock of a vendor does with one request, drawn from the seed, the caller's mark and the model. */
import { hash } from 'node:crypto'
import { seeded, type Chance } from '../../agents/random.ts'

/** Paid for without an answer. */
const unanswered = ['reset', 'hangs', 'cut at its head'] as const

export const faults = [
  'status 401',
  'status 429',
  'status 500',
  'status 529',
  /** The connection closes before the request is read. */
  'closed unread',
  /**
   * It breaks after the request was read, without an answer, or with a 200 before the first byte of its body; nothing
   * more is sent until the other side closes.
   */
  ...unanswered,
  'cut midway',
  'ends midway',
  'stalls midway',
  'error midway',
  'malformed',
  'without usage',
] as const
export type Fault = (typeof faults)[number]

export interface CallPlan {
  fault: Fault | null
  /** Events of a stream, or parts in eight of a whole answer, before the fault. */
  faultAfter: number
  /** Tokens of the answer in the order in which the model makes them, of each choice. */
  hidden: number
  reasoning: number
  text: number
  /** Tokens in one event of a stream. */
  tokensPerEvent: number
  /** Shares of the prompt. */
  cachedShare: number
  writtenShare: number
  firstByteMs: number
  eventMs: number
  /** Events that the model still makes after the connection closed, where it stops. */
  eventsAfterLeaving: number
  /** Of the searches that the request allows. */
  searchShare: number
}

/** How likely a fault is, and everything else that a mix sets for its calls. */
export interface Weather {
  seed: number
  faultShare: number
  /** Whether most faults are of the kind that is paid for without an answer. */
  isStarved: boolean
  slowness: number
}

/** @param nth  of the caller's requests to this model, from 1 */
export function planCall(
  weather: Weather,
  { mark, model, nth }: { mark: string; model: string; nth: number },
): CallPlan {
  const chance = seeded(seedOf(`${weather.seed} ${mark} ${model.replace(/^\d+-/, '')} ${nth}`))
  const isFault = chance.isTrue(weather.faultShare)
  return {
    fault: isFault ? drawFault(chance, weather) : null,
    faultAfter: chance.below(8),
    ...drawAnswer(chance),
    cachedShare: chance.isTrue(0.3) ? chance.next() * 0.9 : 0,
    writtenShare: chance.isTrue(0.3) ? chance.next() * 0.9 : 0,
    firstByteMs: chance.below(40) * weather.slowness,
    eventMs: chance.below(4) * weather.slowness,
    eventsAfterLeaving: chance.below(3),
    searchShare: chance.next(),
  }
}

/** A 401 puts the provider out of use, so it is seldom. */
function drawFault(chance: Chance, { isStarved }: Weather): Fault {
  if (isStarved && chance.isTrue(0.8)) return chance.pick(unanswered)
  const fault = chance.pick(faults)
  return fault === 'status 401' && chance.isTrue(0.8) ? 'status 500' : fault
}

function drawAnswer(
  chance: Chance,
): Pick<CallPlan, 'hidden' | 'reasoning' | 'text' | 'tokensPerEvent'> {
  return {
    hidden: chance.isTrue(0.2) ? chance.below(60) : 0,
    reasoning: chance.isTrue(0.2) ? 1 + chance.below(20) : 0,
    text: 1 + chance.below(chance.isTrue(0.2) ? 400 : 80),
    tokensPerEvent: 1 + chance.below(12),
  }
}

/** A part of 32 bits of the text's hash. */
export function seedOf(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 8), 16) | 0
}
