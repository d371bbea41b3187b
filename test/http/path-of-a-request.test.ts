/** ARCHITECTURE.md lists the functions that hand an ordinary request on, and a real request takes this path. */
import { readFile } from 'node:fs/promises'
import { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { hello, startTestService } from '../test-service.ts'

const mostHops = 28

/** The inner functions of the stacks that lie on the path: where a part of the way ends. */
const ends = [
  'chat/complete-chat.ts:admit',
  'providers/http/connection.ts:#send',
  'providers/upstream-answer.ts:#end',
  'storage/sqlite/connection.ts:append',
  'http/fast-lane/answer-writer.ts:#writeLast',
]

test('a request takes the path that ARCHITECTURE.md lists, of 28 hops at most', async () => {
  const trace = new Trace()
  const { post, service } = await startTestService({
    service: { now: trace.calling(Date.now), clock: trace.calling(() => performance.now()) },
  })
  await service.dashboard.setSetting('fastLane', true)
  // Opens the connections.
  await (await post('chat/completions', hello)).text()

  const hops = await trace.during(async () => (await post('chat/completions', hello)).text())

  expect(hops).toEqual(await listedHops())
  expect(hops.length).toBeLessThanOrEqual(mostHops)
})

/** Reads the stack wherever a request asks for the time, writes to a socket, ends a wait or becomes JSON. */
class Trace {
  #stacks: string[][] | null = null

  calling<Args extends unknown[], Value>(called: (...args: Args) => Value) {
    return (...args: Args): Value => {
      this.#note()
      return called(...args)
    }
  }

  /** @returns the functions on the path, in the order in which they are first called */
  async during(request: () => Promise<unknown>): Promise<string[]> {
    this.#watch(Duplex.prototype, 'write')
    this.#watch(EventTarget.prototype, 'removeEventListener')
    this.#watch(JSON, 'stringify')
    this.#stacks = []
    await request()
    const stacks = this.#stacks
    this.#stacks = null
    return pathOf(stacks)
  }

  #watch(owner: object, name: string): void {
    const note = () => this.#note()
    const called: unknown = Reflect.get(owner, name)
    if (typeof called !== 'function') throw new Error(`there is no ${name}`)
    const original = called
    const own = Object.getOwnPropertyDescriptor(owner, name)
    function noting(this: unknown, ...args: unknown[]): unknown {
      note()
      return Reflect.apply(original, this, args)
    }
    Object.defineProperty(owner, name, { ...own, value: noting })
    onTestFinished(() => void Object.defineProperty(owner, name, { ...own, value: original }))
  }

  #note(): void {
    if (this.#stacks === null) return
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 100
    this.#stacks.push(framesOf(new Error('for its stack').stack ?? ''))
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Frames of the service, outermost first, as `file:function`. */
function framesOf(stack: string): string[] {
  const frames = stack.split('\n').flatMap((line) => {
    const [, name, file] =
      /at (?:async )?(?:\S+\.)?(\S+) .*\/src\/service\/(\S+?\.ts)/.exec(line) ?? []
    return name === undefined ? [] : [`${file}:${name}`]
  })
  return frames.toReversed()
}

function pathOf(stacks: readonly string[][]): string[] {
  const path = new Set<string>()
  for (const frames of stacks) {
    const end = frames.findLastIndex((frame) => ends.includes(frame))
    for (const frame of frames.slice(0, end + 1)) path.add(frame)
  }
  return [...path]
}

async function listedHops(): Promise<string[]> {
  const text = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split('### The hops of a request')
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| `([^`]+\.ts:[^`]+)`/gm)].map(([, hop = '']) => hop)
}
