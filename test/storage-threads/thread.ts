/** The storage's thread for one database after another. */
import { parentPort, type MessagePort } from 'node:worker_threads'
import type { WorkerOptions } from '../../src/service/storage/sqlite/protocol.ts'
import { serveStorage } from '../../src/service/storage/sqlite/serve-storage.ts'

/** A database to serve, or a task on one. */
export interface NextDatabase {
  port: MessagePort
  options: WorkerOptions
}

const starter = parentPort
if (starter === null) throw new Error('This file runs as a worker thread')
starter.on('message', ({ port, options }: NextDatabase) => {
  port.once('close', () => starter.postMessage('free'))
  void serveStorage(port, options)
})
