import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { StorageUnavailable } from '../storage.ts'
import { connect } from './connection.ts'

/** A worker that opens like the storage's and then does what the test is about. */
function startWorker(onMessage: string) {
  const code = `
    const { parentPort } = require('node:worker_threads')
    parentPort.postMessage([{ id: 0, ok: true, value: null }])
    parentPort.on('message', (message) => { ${onMessage} })`
  return connect(new Worker(code, { eval: true }))
}

const call = { store: 'configuration', method: 'read', kind: 'read', args: [] } as const

test('rejects what waits and what comes after when the worker crashes', async () => {
  const { ask, opened } = startWorker("throw new Error('planted')")
  await opened
  const [first, second] = await Promise.allSettled([ask(call), ask(call)])
  expect(first).toMatchObject({ status: 'rejected', reason: { cause: { message: 'planted' } } })
  expect(second).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) })
  await expect(ask(call)).rejects.toBeInstanceOf(StorageUnavailable)
})

test('rejects what waits when the worker exits without a word', async () => {
  const { ask, opened } = startWorker('process.exit()')
  await opened
  await expect(ask(call)).rejects.toThrow('The storage stopped unexpectedly')
})

test('closes a worker that has already crashed', async () => {
  const { ask, close, opened } = startWorker("throw new Error('planted')")
  await opened
  await expect(ask(call)).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(close()).resolves.toBeUndefined()
})

test('holds back what can wait and sends it in one message before what cannot', async () => {
  const { ask, opened } = startWorker(`
    globalThis.messages = (globalThis.messages ?? 0) + 1
    const reply = ({ id }) => ({ id, ok: true, value: globalThis.messages })
    parentPort.postMessage(message.calls.map(reply))`)
  await opened
  const append = { store: 'ledger', method: 'append', kind: 'patientWrite', args: [] } as const
  const answers = [ask(append), ask(append), ask(call), ask(append)]
  expect(await Promise.all(answers)).toEqual([1, 1, 2, 3])
})
