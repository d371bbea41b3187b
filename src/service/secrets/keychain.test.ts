import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openKeychain, type KeychainCalls } from './keychain.ts'

// A real keychain cannot be made to hang on demand. This one has keytar's interface and hangs.
function hangingKeychain() {
  const calls: string[] = []
  let isHanging = true
  const entries = new Map([['modelport-probe', 'ready']])
  const answer = <Value>(name: string, value: () => Value): Promise<Value> => {
    calls.push(name)
    return isHanging ? new Promise(() => {}) : Promise.resolve(value())
  }
  const keytar: KeychainCalls = {
    getPassword: (_, account) => answer('get', () => entries.get(account) ?? null),
    setPassword: (_, account, secret) => answer('set', () => void entries.set(account, secret)),
    deletePassword: (_, account) => answer('delete', () => entries.delete(account)),
  }
  return {
    calls,
    load: () => Promise.resolve(keytar),
    recover: () => (isHanging = false),
    hang: () => (isHanging = true),
  }
}

const tenMs = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 10)
  })

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

async function openHung(hanging: ReturnType<typeof hangingKeychain>) {
  const opening = openKeychain(hanging.load)
  await vi.advanceTimersByTimeAsync(5_000)
  return opening
}

test('gives up after five seconds and says what to do', async () => {
  const keychain = await openHung(hangingKeychain())

  expect(keychain.state()).toMatchObject({
    state: 'hung',
    message: expect.stringContaining('Answer its unlock prompt'),
  })
})

test('makes no call after a hang, so that no second thread is lost', async () => {
  const hanging = hangingKeychain()
  const keychain = await openHung(hanging)

  await expect(keychain.get('openai')).rejects.toThrow('did not answer')
  await expect(keychain.set('openai', 'key')).rejects.toThrow('did not answer')

  expect(hanging.calls).toEqual(['get'])
})

test('refuses the calls that were waiting behind the one that hung', async () => {
  const hanging = hangingKeychain()
  hanging.recover()
  const keychain = await openKeychain(hanging.load)
  hanging.hang()

  const results = Promise.allSettled([keychain.get('one'), keychain.get('two')])
  await vi.advanceTimersByTimeAsync(5_000)

  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(hanging.calls).toEqual(['get', 'get'])
})

test('works again after an answered probe', async () => {
  const hanging = hangingKeychain()
  const keychain = await openHung(hanging)
  hanging.recover()

  expect(await keychain.probe()).toMatchObject({ state: 'ready' })
  await keychain.set('openai', 'key')
  expect(await keychain.get('openai')).toBe('key')
})

test('leaves at most two calls open however often it is probed', async () => {
  const hanging = hangingKeychain()
  const keychain = await openHung(hanging)

  for (let probes = 0; probes < 4; probes++) {
    const probing = keychain.probe()
    await vi.advanceTimersByTimeAsync(5_000)
    await probing
  }

  expect(hanging.calls).toEqual(['get', 'get'])
})

test('makes one call at a time', async () => {
  let open = 0
  let mostOpen = 0
  const slow = async () => {
    mostOpen = Math.max(mostOpen, ++open)
    await tenMs()
    open--
    return 'value'
  }
  const load = () =>
    Promise.resolve({
      getPassword: slow,
      setPassword: async () => {},
      deletePassword: async () => true,
    })
  const opening = openKeychain(load)
  await vi.advanceTimersByTimeAsync(10)
  const keychain = await opening

  const reads = Promise.all(['a', 'b', 'c'].map((account) => keychain.get(account)))
  await vi.advanceTimersByTimeAsync(30)

  expect(await reads).toEqual(['value', 'value', 'value'])
  expect(mostOpen).toBe(1)
})
