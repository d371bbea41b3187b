import { expect, test } from 'vitest'
import { WrongKeyDelay } from './wrong-key-delay.ts'

/** Waits that the test ends. */
function create() {
  const waiting: (() => void)[] = []
  const clock = { nowMs: 0 }
  const delay = new WrongKeyDelay({
    now: () => clock.nowMs,
    wait: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
      }),
  })
  const guess = async (address: string, times: number) => {
    for (let count = 0; count < times; count += 1) void delay.wrongKey(address)
  }
  return { delay, clock, waiting, guess }
}

test('the first 20 wrong keys of an address in a minute are answered at once', async () => {
  const { waiting, guess } = create()

  await guess('127.0.0.1', 20)
  expect(waiting).toHaveLength(0)
  await guess('127.0.0.1', 1)
  expect(waiting).toHaveLength(1)
})

test('another address is not delayed', async () => {
  const { waiting, guess } = create()

  await guess('127.0.0.1', 20)
  await guess('::1', 20)

  expect(waiting).toHaveLength(0)
})

test('the count begins again after a minute, and when the clock was set back', async () => {
  const { clock, waiting, guess } = create()

  await guess('127.0.0.1', 20)
  clock.nowMs = 60_000
  await guess('127.0.0.1', 20)
  clock.nowMs = -60_000
  await guess('127.0.0.1', 20)

  expect(waiting).toHaveLength(0)
})

test('at most 256 answers wait; further ones close their connections', async () => {
  const { delay, waiting, guess } = create()

  await guess('127.0.0.1', 20 + 256)
  expect(waiting).toHaveLength(256)
  expect(await delay.wrongKey('127.0.0.1')).toEqual({ closes: true })
  for (const end of waiting.splice(0)) end()
  await Promise.resolve()
  await Promise.resolve()
  void delay.wrongKey('127.0.0.1')

  expect(waiting).toHaveLength(1)
})

test('at most 1,000 addresses are counted', async () => {
  const { waiting, guess } = create()

  await guess('first', 20)
  for (let address = 0; address < 1_000; address += 1) await guess(String(address), 1)
  await guess('first', 1)

  expect(waiting).toHaveLength(0)
})
