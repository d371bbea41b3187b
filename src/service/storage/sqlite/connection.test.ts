import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { StorageUnavailable } from '../storage.ts'
import { connect } from './connection.ts'

/** A worker that opens like the storage's and then follows the test's script. */
function startWorker(onMessage: string) {
  const code = `
    const { parentPort } = require('node:worker_threads')
    parentPort.postMessage([{ id: 0, ok: true, value: null }])
    parentPort.on('message', (message) => { ${onMessage} })`
  return connect(new Worker(code, { eval: true }))
}

const call = { store: 'configuration', method: 'read', kind: 'read', args: [] } as const

test('rejects waiting and later calls when the worker crashes', async () => {
  const { invoke, opened } = startWorker("throw new Error('planted')")
  await opened
  const [first, second] = await Promise.allSettled([invoke(call), invoke(call)])
  expect(first).toMatchObject({ status: 'rejected', reason: { cause: { message: 'planted' } } })
  expect(second).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) })
  await expect(invoke(call)).rejects.toBeInstanceOf(StorageUnavailable)
})

test('an error of the database file carries its code and path', async () => {
  const failure = {
    name: 'StorageUnavailable',
    message: 'database or disk is full',
    code: 'SQLITE_FULL',
  }
  const code = `require('node:worker_threads').parentPort.postMessage([${JSON.stringify({ id: 0, ok: false, failure })}])`
  const { opened } = connect(new Worker(code, { eval: true }), '/data/modelport.db')
  await expect(opened).rejects.toMatchObject({ code: 'SQLITE_FULL', path: '/data/modelport.db' })
})

test('rejects waiting calls when the worker exits without an error', async () => {
  const { invoke, opened } = startWorker('process.exit()')
  await opened
  await expect(invoke(call)).rejects.toThrow('The storage stopped unexpectedly')
})

test('closes a worker that has already crashed', async () => {
  const { invoke, close, opened } = startWorker("throw new Error('planted')")
  await opened
  await expect(invoke(call)).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(close()).resolves.toBeUndefined()
})

/** Answers each append with the number of messages so far, as failures of that many rows. */
const countsMessages = `
  globalThis.messages = (globalThis.messages ?? 0) + 1
  const failed = { index: globalThis.messages, failure: { name: 'Error', message: 'planted' } }
  const reply = ({ id }) => ({ id, ok: true, value: [failed] })
  parentPort.postMessage(message.calls.map(reply))`

test('sends ledger rows together, before any later call', async () => {
  const { invoke, append, opened } = startWorker(countsMessages)
  await opened
  const row = () => append(sampleRecord(), sampleDetail())
  const outcomes = [row(), row(), row(), invoke(call), row(), row(), row(), row()]
  const settled = await Promise.allSettled(outcomes)
  // In the first message the second row failed, in the third the fourth.
  expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    true,
    true,
    true,
    false,
  ])
})

test('rejects the rows it still holds when the worker crashes', async () => {
  const { invoke, append, opened } = startWorker("throw new Error('planted')")
  await opened
  const asked = invoke(call)
  const held = append(sampleRecord(), sampleDetail())
  await expect(asked).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(held).rejects.toBeInstanceOf(StorageUnavailable)
})
