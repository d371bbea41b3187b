/** Breaks JSON values and texts at random, reproducibly. */
import type { Chance } from '../agents/random.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const hostileValues: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  9_007_199_254_740_991,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  'x'.repeat(5_000),
  [],
  {},
  [[[[[[[[]]]]]]]],
  { constructor: { prototype: {} } },
  [null, 1, 'a', {}],
]
const hostileNames = [
  '__proto__',
  'constructor',
  'toString',
  'api_base',
  'base_url',
  'api_key',
  '',
  'a'.repeat(300),
  'stream',
  'n',
  'model',
] as const

/** A copy with up to three members or items replaced, removed or added. */
export function breakValue(chance: Chance, value: unknown): unknown {
  // A copy of JSON; the bodies of requests are plain data.
  const copy = JSON.parse(JSON.stringify(value)) as Json
  for (let count = chance.below(3); count >= 0; count -= 1) breakOnce(chance, copy)
  return copy
}

function breakOnce(chance: Chance, root: Json): void {
  let at = root
  for (let depth = chance.below(5); depth > 0; depth -= 1) {
    const inner = childrenOf(at).filter((child) => typeof child === 'object' && child !== null)
    const [first, ...rest] = inner
    if (first === undefined) break
    at = chance.pick([first, ...rest])
  }
  if (Array.isArray(at)) return breakList(chance, at)
  if (typeof at !== 'object' || at === null) return
  const [first, ...rest] = Object.keys(at)
  const name =
    first === undefined || chance.isTrue(0.3) ? hostileName(chance) : chance.pick([first, ...rest])
  if (chance.isTrue(0.2)) Reflect.deleteProperty(at, name)
  // An own member, also for `__proto__`.
  else
    Object.defineProperty(at, name, {
      value: hostileValue(chance),
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

function childrenOf(value: Json): Json[] {
  return typeof value === 'object' && value !== null ? Object.values<Json>(value) : []
}

function breakList(chance: Chance, list: Json[]): void {
  const way = chance.below(3)
  if (way === 0) list.pop()
  else if (way === 1) list.push(...structuredClone(list.slice(0, 20)))
  else list[chance.below(list.length + 1)] = hostileValue(chance)
}

function hostileValue(chance: Chance): Json {
  return structuredClone(chance.pick(hostileValues))
}

function hostileName(chance: Chance): string {
  return chance.pick(hostileNames)
}

/** The text with some bytes changed, removed, repeated or added. */
export function breakBytes(chance: Chance, bytes: Buffer): Buffer {
  const at = chance.below(bytes.length + 1)
  const length = chance.below(20)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const added = Buffer.from(Array.from({ length }, () => chance.below(256)))
  switch (chance.below(5)) {
    case 0:
      return Buffer.concat([before, added, after])
    case 1:
      return Buffer.concat([before, after.subarray(length)])
    case 2:
      return Buffer.concat([before, after.subarray(0, length), after])
    case 3:
      return before
    default:
      return Buffer.concat([before, added, after.subarray(length)])
  }
}
