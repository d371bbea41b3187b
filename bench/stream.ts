/**
 * The cost that the service adds to streamed answers, compared with a bare Node pass-through over TLS and with
 * Portkey's gateway: the time to the first byte, the intervals of 200 simultaneous streams, and the streams per
 * second. Every piece of every stream is counted.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from './load.ts'
import { median, quantile } from './quantile.ts'
import { row } from './row.ts'
import type { Measurement } from './measurement.ts'
import { portkeyVersion } from './servers/install-portkey.ts'
import { startServer, stop } from './servers/start.ts'
import { streamWith, type StreamLoad } from './stream-load.ts'
import { startBare, startModelport, startPortkey, type ModelportOptions } from './targets.ts'

const rounds = 5
const roundKinds = ['firstByte', 'timed', 'rush'] as const

/** One stream at a time, with a piece every 2 ms: the time until it begins. */
const firstByte = { connections: 1, durationMs: 1_000, plan: { pieces: 4, everyMs: 2 } }
/** Many at once at the speed of models, twenty tokens a second each. */
const timed = { connections: 200, durationMs: 0, plan: { pieces: 40, everyMs: 50 } }
/** Load with as many pieces as possible. */
const rush = { connections: 16, durationMs: 1_500, plan: { pieces: 100, everyMs: 0 } }

const kinds = { firstByte, timed, rush }
type Kind = keyof typeof kinds

const sides = ['bare', 'modelport', 'portkey'] as const
type Side = (typeof sides)[number]

/** One measurement of each side. The 200 streams are compared only with the bare pass-through, not with Portkey. */
type Round = Record<Kind, Partial<Record<Side, StreamLoad>>>

export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream.ts')
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`
  const started = {
    bare: await startBare(upstreamUrl),
    modelport: await startModelport(folder, upstreamUrl),
    portkey: await startPortkey(upstreamUrl, process.execPath),
  }
  const targets = {
    bare: started.bare.target,
    modelport: started.modelport.target,
    portkey: started.portkey.target,
  }
  const withoutLane = await startVariant(upstreamUrl, { settings: { fastLane: false } })
  const translated = await startVariant(upstreamUrl, { upstreamType: 'anthropic' })
  const messages = await startVariant(upstreamUrl, { upstreamType: 'anthropic', form: 'messages' })
  await measureRound(targets, sides)
  const measured: Round[] = []
  const variants: VariantRushes = { withoutLane: [], translated: [], messages: [] }
  for (let number = 1; number <= rounds; number += 1) {
    // The order changes, so that no side always gets the busier machine.
    const round = await measureRound(targets, number % 2 === 0 ? sides : sides.toReversed())
    printRound(number, round)
    measured.push(round)
    variants.withoutLane.push(await streamWith(withoutLane.target, rush))
    variants.translated.push(await streamWith(translated.target, rush))
    variants.messages.push(await streamWith(messages.target, rush))
  }
  for (const { child } of [
    ...Object.values(started),
    withoutLane,
    translated,
    messages,
    upstream,
  ]) {
    await stop(child)
  }
  for (const each of [folder, withoutLane.folder, translated.folder, messages.folder]) {
    await rm(each, { recursive: true })
  }
  return [...compare(measured), ...compareVariants(measured, variants)]
}

async function startVariant(upstreamUrl: string, options: ModelportOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  return { ...(await startModelport(folder, upstreamUrl, options)), folder }
}

/** The service without the fast lane, with an upstream in Anthropic's form, and with callers of it; one load a round. */
interface VariantRushes {
  withoutLane: StreamLoad[]
  translated: StreamLoad[]
  messages: StreamLoad[]
}

function compareVariants(
  measured: readonly Round[],
  { withoutLane, translated, messages }: VariantRushes,
): Measurement[] {
  const share = (loads: readonly StreamLoad[], figure: Figure) => {
    const figures = figuresOf(measured, ['rush', 'modelport'], figure)
    return median(loads.map((load, round) => figure(load) / (figures[round] ?? NaN)))
  }
  return [
    row('streams/s with the fast lane, multiple of without', [1 / share(withoutLane, rate), 'x'], {
      target: { atLeast: 1.2 },
    }),
    row('streams/s translated from Anthropic, share', [share(translated, rate) * 100, '%']),
    row('processor time per stream translated from Anthropic, multiple', [
      share(translated, cpu),
      'x',
    ]),
    row('streams/s, Anthropic in and out, share', [share(messages, rate) * 100, '%']),
    row('processor time per stream, Anthropic in and out, multiple', [share(messages, cpu), 'x']),
  ]
}

async function measureRound(targets: Record<Side, Target>, order: readonly Side[]): Promise<Round> {
  const round: Round = { firstByte: {}, timed: {}, rush: {} }
  for (const kind of roundKinds) {
    for (const side of order) {
      if (kind === 'timed' && side === 'portkey') continue
      round[kind][side] = await streamWith(targets[side], kinds[kind])
    }
  }
  return round
}

type Figure = (load: StreamLoad) => number
const firstByteP50: Figure = (load) => median(load.firstByteMs)
const gapP99: Figure = (load) => quantile(load.gapsMs, 0.99)
const transitP99: Figure = (load) => quantile(load.transitMs, 0.99)
const rate: Figure = (load) => load.streamsPerSecond
const cpu: Figure = (load) => load.cpuUsPerStream ?? NaN

function compare(measured: readonly Round[]): Measurement[] {
  const lost = sumOfModelport(measured, (load) => load.lostPieces)
  const read = sumOfModelport(measured, (load) => load.pieces)
  return [
    ...compareFirstByte(measured),
    ...compareTimed(measured),
    row('pieces lost', [lost, ''], { target: { atMost: 0 } }),
    row('pieces read', [read, '']),
    ...compareRush(measured),
  ]
}

function compareFirstByte(measured: readonly Round[]): Measurement[] {
  const of = (side: Side) => median(figuresOf(measured, ['firstByte', side], firstByteP50))
  const added = addedToBare(measured, 'firstByte', firstByteP50)
  return [
    row('first byte p50, bare', [of('bare'), 'ms']),
    row('first byte p50, modelport', [of('modelport'), 'ms']),
    row(`first byte p50, Portkey ${portkeyVersion}`, [of('portkey'), 'ms']),
    row('first byte p50, added', [added, 'ms'], {
      target: { atMost: 0.3 },
      goal: { atMost: 0.1 },
    }),
  ]
}

function compareTimed(measured: readonly Round[]): Measurement[] {
  const of = (side: Side, figure: Figure) => median(figuresOf(measured, ['timed', side], figure))
  const added = (figure: Figure) => addedToBare(measured, 'timed', figure)
  const gap = `between pieces p99, ${timed.connections} streams`
  const way = `way of a piece p99, ${timed.connections} streams`
  return [
    row(`${gap}, bare`, [of('bare', gapP99), 'ms']),
    row(`${gap}, modelport`, [of('modelport', gapP99), 'ms']),
    row(`${gap}, added`, [added(gapP99), 'ms'], { target: { atMost: 1 } }),
    row(`${way}, bare`, [of('bare', transitP99), 'ms']),
    row(`${way}, added`, [added(transitP99), 'ms'], { goal: { atMost: 1 } }),
  ]
}

function compareRush(measured: readonly Round[]): Measurement[] {
  const of = (side: Side) => median(figuresOf(measured, ['rush', side], rate))
  const ratio = (to: Side, figure: Figure) => {
    const divisors = figuresOf(measured, ['rush', to], figure)
    const values = figuresOf(measured, ['rush', 'modelport'], figure)
    return median(values.map((value, round) => value / (divisors[round] ?? NaN)))
  }
  const at = `at ${rush.connections} connections`
  return [
    row(`streams/s ${at}, bare`, [of('bare'), '']),
    row(`streams/s ${at}, modelport`, [of('modelport'), '']),
    row(`streams/s ${at}, Portkey ${portkeyVersion}`, [of('portkey'), '']),
    row('streams/s, share of bare', [ratio('bare', rate) * 100, '%'], {
      target: { atLeast: 48 },
      goal: { atLeast: 60 },
    }),
    row('streams/s, multiple of Portkey', [ratio('portkey', rate), 'x'], { goal: { atLeast: 10 } }),
    row('processor time per stream, multiple of bare', [ratio('bare', cpu), 'x'], {
      target: { atMost: 2.6 },
      goal: { atMost: 1.8 },
    }),
  ]
}

/** The median of the differences within a round, whose two sides were measured within seconds. */
function addedToBare(measured: readonly Round[], kind: Kind, figure: Figure): number {
  const bare = figuresOf(measured, [kind, 'bare'], figure)
  const modelport = figuresOf(measured, [kind, 'modelport'], figure)
  return median(modelport.map((value, round) => value - (bare[round] ?? NaN)))
}

function figuresOf(
  measured: readonly Round[],
  [kind, side]: readonly [Kind, Side],
  figure: Figure,
): number[] {
  return measured.map((round) => figureOf(round[kind][side], figure))
}

function figureOf(load: StreamLoad | undefined, figure: Figure): number {
  return load ? figure(load) : NaN
}

/** Lost pieces of the service only, not of the others. */
function sumOfModelport(measured: readonly Round[], figure: Figure): number {
  const loads = measured.flatMap((round) => roundKinds.map((kind) => round[kind].modelport))
  return loads.reduce((sum, load) => sum + figureOf(load, figure), 0)
}

function printRound(number: number, round: Round): void {
  for (const side of sides) {
    const first = figureOf(round.firstByte[side], firstByteP50).toFixed(3)
    const gap = figureOf(round.timed[side], gapP99).toFixed(1)
    const way = figureOf(round.timed[side], transitP99).toFixed(1)
    const timedText = `between pieces p99 ${gap} ms, way ${way} ms  `
    const streams = figureOf(round.rush[side], rate).toFixed(0)
    process.stdout.write(
      `round ${number}  ${side.padEnd(9)}  first byte p50 ${first} ms  ${side === 'portkey' ? '' : timedText}${streams} streams/s\n`,
    )
  }
}
