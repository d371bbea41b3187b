/**
 * A clock that runs 480 times as fast once the file in MODELPORT_FAST_CLOCK exists, so that a day takes 3 minutes: `--import`
 * this before the program. Timers of 10 s and more follow it; shorter ones, which are limits of requests in progress, do
 * not.
 */
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'

const speed = 480
const longMs = 10_000
const tickMs = 25
const file = process.env['MODELPORT_FAST_CLOCK'] ?? ''
const RealDate = Date
const { setTimeout: realTimeout, setInterval: realInterval } = globalThis
const { clearTimeout: clearReal } = globalThis
const sleep = promises.setTimeout

/** @type {number | null} */
let fastSinceMs = null
const nowMs = () => {
  const realMs = RealDate.now()
  return fastSinceMs === null ? realMs : fastSinceMs + (realMs - fastSinceMs) * speed
}

class FastDate extends RealDate {
  /** @param {any[]} values */
  constructor(...values) {
    // @ts-expect-error the constructor has several forms
    super(...(values.length === 0 ? [nowMs()] : values))
  }
  /** @override */
  static now() {
    return nowMs()
  }
}
Reflect.set(globalThis, 'Date', FastDate)

/** @type {Set<LongTimer>} */
const waiting = new Set()

class LongTimer {
  isReferenced = true
  /** @param {() => void} run @param {number} ms @param {boolean} isRepeated */
  constructor(run, ms, isRepeated) {
    this.run = run
    this.ms = ms
    this.isRepeated = isRepeated
    // Keeps the process alive as the timer would.
    this.anchor = realInterval(() => {}, 2 ** 30)
    this.refresh()
  }
  refresh() {
    this.dueMs = nowMs() + this.ms
    waiting.add(this)
    return this
  }
  close() {
    waiting.delete(this)
    clearReal(this.anchor)
    return this
  }
  unref() {
    this.isReferenced = false
    this.anchor.unref()
    return this
  }
  ref() {
    this.isReferenced = true
    this.anchor.ref()
    return this
  }
  hasRef() {
    return this.isReferenced
  }
  fire() {
    if (this.isRepeated) this.dueMs = nowMs() + this.ms
    else this.close()
    this.run()
  }
}

realInterval(() => {
  if (fastSinceMs === null && existsSync(file)) fastSinceMs = RealDate.now()
  for (const timer of waiting) if ((timer.dueMs ?? 0) <= nowMs()) timer.fire()
}, tickMs).unref()

/** @param {Function} real @param {boolean} isRepeated */
const patched =
  (real, isRepeated) =>
  /** @param {(...values: any[]) => void} run @param {number} ms @param {any[]} values */
  (run, ms = 0, ...values) =>
    ms >= longMs ? new LongTimer(() => run(...values), ms, isRepeated) : real(run, ms, ...values)
/** @param {any} timer */
const clear = (timer) => (timer instanceof LongTimer ? timer.close() : clearReal(timer))

const replaced = {
  setTimeout: patched(realTimeout, false),
  setInterval: patched(realInterval, true),
  clearTimeout: clear,
  clearInterval: clear,
}
Object.assign(globalThis, replaced)
Object.assign(timers, replaced)
Reflect.set(
  promises,
  'setTimeout',
  /** @param {number} ms @param {unknown} value @param {{ signal?: AbortSignal, ref?: boolean }} options */
  (ms = 0, value, options = {}) => {
    if (ms < longMs) return sleep(ms, value, options)
    return new Promise((/** @type {(value: unknown) => void} */ resolve, reject) => {
      const { signal, ref = true } = options
      const timer = new LongTimer(() => resolve(value), ms, false)
      if (!ref) timer.unref()
      signal?.addEventListener('abort', () => {
        timer.close()
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      })
    })
  },
)
syncBuiltinESMExports()
