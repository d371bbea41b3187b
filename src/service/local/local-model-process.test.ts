/** The built-in model's process: how it runs, what ends it and what happens next. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  ask as askModel,
  longStory,
  modelProcessEntry,
  open,
  prepareLocalTests,
  processes,
  question,
  trackedFork,
  user,
  watchStates,
  type Answer,
  type AskOptions,
} from '../../../test/local/ask-local-model.ts'
import type { ChatRequest } from '../../shared/chat/chat.ts'
import type { LocalModel, ModelProcess } from './local-model.ts'
import { isRunning } from '../../../test/is-running.ts'

/** A limit for steps that take milliseconds, on a busy computer. */
const patience = { timeout: 60_000 }

let model: LocalModel

prepareLocalTests()
beforeAll(async () => {
  model = await open()
})
afterEach(() => vi.useRealTimers())
afterAll(() => model.close())

function ask(body: ChatRequest, asked: Partial<AskOptions> = {}): Promise<Answer> {
  return askModel(body, { to: model, ...asked })
}

test('every thread of the process has a lower priority than the service', async () => {
  await ask(user(question))
  const { pid } = processes.at(-1) ?? {}

  const threads = await readdir(`/proc/${pid}/task`)
  const stats = await Promise.all(
    // A thread that was only needed for the answer can end at any time.
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => null)),
  )

  // Field 19 is the nice value; field 2, a name in brackets, may contain spaces.
  const running = stats.filter((stat) => stat !== null)
  const niceValues = running.map((stat) => stat.split(') ')[1]?.split(' ')[16])
  expect(new Set(niceValues)).toEqual(new Set(['5']))
})

test('a process killed mid-answer fails that answer only', async () => {
  const states = watchStates(model)
  const victim = processes.at(-1)

  const begun = Promise.withResolvers<unknown>()
  const killed = ask(longStory, { onText: begun.resolve })
  await begun.promise
  const next = ask(user(question))
  victim?.kill()

  await expect(killed).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' })
  expect((await next).text).toBe('The capital of France is Paris.')
  expect(states).toEqual(['stopped', 'loading', 'ready'])
})

test('a process that stops answering is ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await ask(user(question))
  const { pid = NaN } = processes.at(-1) ?? {}

  const frozen = ask(longStory, { onText: () => process.kill(pid, 'SIGSTOP') })
  const failure = frozen.catch((error: unknown) => error)
  await vi.waitUntil(
    async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') T '),
    patience,
  )
  await pause(50)
  vi.advanceTimersByTime(20_000)

  expect(await failure).toMatchObject({ kind: 'unavailable' })
  expect(isRunning(pid)).toBe(false)
})

test('reading a file ends after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let exited = () => {}
  const killed = vi.fn<() => void>(() => exited())
  const silent: ModelProcess = {
    pid: undefined,
    send() {},
    onMessage() {},
    onExit(listener) {
      exited = listener
    },
    kill: killed,
  }
  const reading = await open({ fork: () => silent })

  const described = reading.describeFile('any.gguf').catch((error: unknown) => error)
  vi.advanceTimersByTime(59_999)
  expect(killed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)

  expect(killed).toHaveBeenCalled()
  expect(await described).toMatchObject({ kind: 'timeout' })
})

test('a process that keeps ending is not started again until a retry', async () => {
  const dying: ModelProcess[] = []
  let isFatal = true
  const fork = (entry: string) => {
    const child = trackedFork(entry)
    dying.push(child)
    if (isFatal) child.kill()
    return child
  }
  const crashing = await open({ fork })
  for (let crash = 0; crash < 3; crash++) {
    await expect(ask(user('Hi'), { to: crashing })).rejects.toThrow('ended')
  }

  const refused = ask(user('Hi'), { to: crashing })
  await expect(refused).rejects.toThrow('keeps ending')
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable' })
  expect(dying).toHaveLength(3)
  expect(crashing.state()).toMatchObject({ status: 'failed' })

  isFatal = false
  expect(await crashing.retry()).toMatchObject({ status: 'ready' })
  await crashing.close()
})

test('an unused process is ended after ten minutes and started again when needed', async () => {
  const idle = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await ask(user(question), { to: idle })
  const { pid } = processes.at(-1) ?? {}

  vi.advanceTimersByTime(10 * 60_000)

  vi.useRealTimers()
  await vi.waitUntil(() => !isRunning(pid) && idle.state().status === 'stopped', patience)
  expect((await ask(user(question), { to: idle })).text).toContain('Paris')
  await idle.close()
})

test('closing ends the process', async () => {
  const closing = await open()
  await closing.retry()
  const { pid } = processes.at(-1) ?? {}
  expect(isRunning(pid)).toBe(true)

  await closing.close()

  await vi.waitUntil(() => !isRunning(pid), patience)
  await expect(ask(user('Hi'), { to: closing })).rejects.toThrow('stopped')
})

test('the process ends with its parent process, however the parent ends', async () => {
  const script = `
    import { forkChildProcess } from '${new URL('fork-child-process.ts', import.meta.url).href}'
    const child = forkChildProcess('${modelProcessEntry}')
    child.onMessage(() => console.log(child.pid))
    child.send({ kind: 'ping' })
  `
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const [printed]: unknown[] = await once(parent.stdout, 'data')
  const pid = Number(String(printed))
  expect(isRunning(pid)).toBe(true)

  parent.kill('SIGKILL')

  await vi.waitUntil(() => !isRunning(pid), patience)
})
