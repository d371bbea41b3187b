/**
 * The OS keychain through keytar. This file handles the following behaviour, found by tests on Linux:
 * - Without D-Bus or a Secret Service every call rejects. A locked keyring rejects only writes: a read
 *   answers null, as if there were no such entry, and a removal false. Such an answer counts only after a write
 *   to our own entry, the probe, has succeeded.
 * - A locked keyring on a desktop opens a prompt, and the call waits until the user answers it. It blocks one of
 *   libuv's four threads, which also read files and resolve names. So there is one call at a time with a limit of
 *   5 s, and after a hang no call until the user retries.
 * - A hanging thread also keeps the process from exiting, because Node waits for it. So a process that exits with
 *   such a call open kills itself.
 * - `findCredentials` crashes the process on a locked keyring: never used.
 */
import type * as Keytar from 'keytar'
import { SecretStoreError } from './secret-store.ts'

export type KeychainCalls = Pick<typeof Keytar, 'getPassword' | 'setPassword' | 'deletePassword'>

export interface KeychainState {
  state: 'ready' | 'locked' | 'missing' | 'hung'
  message: string
}

export interface Keychain {
  state(): KeychainState
  /** @throws SecretStoreError */
  get(account: string): Promise<string | null>
  /** @throws SecretStoreError */
  set(account: string, secret: string): Promise<void>
  /** @throws SecretStoreError */
  delete(account: string): Promise<void>
  /** Probes the keychain again; the only call made after a hang. */
  probe(): Promise<KeychainState>
}

const service = 'modelport'
const probeAccount = 'modelport-probe'
const limitMs = 5_000
/** Half of libuv's threads, so that repeated attempts cannot block the whole process. */
const maxOpenCalls = 2

/** The keychain, after a first probe. `load` is called when the first call is made. */
export async function openKeychain(load: () => Promise<KeychainCalls>): Promise<Keychain> {
  let state: KeychainState = ready
  const line = openLine()

  async function call<Result>(make: (keytar: KeychainCalls) => Promise<Result>): Promise<Result> {
    try {
      return await line.run(async () => make(await load()))
    } catch (error) {
      state = failureState(error)
      throw new SecretStoreError(state.message, { cause: error })
    }
  }

  /** Rejects if a write is refused, as by a locked keychain. */
  async function requireWritable(): Promise<void> {
    await call((keytar) => keytar.setPassword(service, probeAccount, probeAccount))
  }

  async function probe(): Promise<KeychainState> {
    line.reopen()
    try {
      const entry = await call((keytar) => keytar.getPassword(service, probeAccount))
      if (entry === null) await requireWritable()
      state = ready
    } catch (error) {
      if (!(error instanceof SecretStoreError)) throw error
    }
    return state
  }

  await probe()
  return {
    state: () => state,
    probe,
    async get(account) {
      const secret = await call((keytar) => keytar.getPassword(service, account))
      if (secret === null) await requireWritable()
      return secret
    },
    set: (account, secret) => call((keytar) => keytar.setPassword(service, account, secret)),
    async delete(account) {
      const isDeleted = await call((keytar) => keytar.deletePassword(service, account))
      if (!isDeleted) await requireWritable()
    },
  }
}

interface Line {
  /** Runs after the earlier calls. @throws KeychainHung after the limit, or because an earlier call hung */
  run<Result>(make: () => Promise<Result>): Promise<Result>
  /** Allows calls again after a hang, unless too many are still open. */
  reopen(): void
}

function openLine(): Line {
  let isClosed = false
  let openCalls = 0
  let lastCall: Promise<unknown> = Promise.resolve()

  async function runNow<Result>(make: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw new KeychainHung()
    openCalls++
    try {
      return await withinLimit(make().finally(() => openCalls--))
    } catch (error) {
      if (error instanceof KeychainHung) {
        isClosed = true
        process.once('exit', endThoughHung)
      }
      throw error
    }
  }

  function endThoughHung(): void {
    if (openCalls > 0) process.kill(process.pid, 'SIGKILL')
  }

  return {
    run(make) {
      const result = lastCall.then(() => runNow(make))
      lastCall = result.catch(() => undefined)
      return result
    },
    reopen() {
      if (openCalls < maxOpenCalls) isClosed = false
    },
  }
}

class KeychainHung extends Error {}

async function withinLimit<Result>(answer: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new KeychainHung()), limitMs)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}

const ready: KeychainState = {
  state: 'ready',
  message: 'Provider keys are kept in the keychain of this computer.',
}

const otherWays =
  'or set MODELPORT_VAULT_PASSPHRASE and start again to keep keys in an encrypted file, ' +
  'or give a key as MODELPORT_KEY_<PROVIDER ID>.'

/** libsecret's messages for a locked keyring; keytar passes on no error code. */
const lockedWords = /locked|Object does not exist at path|prompt/i

function failureState(error: unknown): KeychainState {
  if (error instanceof KeychainHung) {
    const message = `The keychain did not answer within ${limitMs / 1000} seconds. Answer its unlock prompt if one is open, then retry; ${otherWays}`
    return { state: 'hung', message }
  }
  const words = error instanceof Error ? error.message : String(error)
  if (lockedWords.test(words)) {
    const message = `The keychain is locked. Unlock it (by logging in to the desktop, or in its password manager), then retry; ${otherWays}`
    return { state: 'locked', message }
  }
  const message = `No keychain can be reached (${words.split('\n')[0]}). Start GNOME Keyring, KWallet or another Secret Service, then retry; ${otherWays}`
  return { state: 'missing', message }
}
