/** The thread that owns the database connection. */
import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerOptions } from './protocol.ts'
import { serveStorage } from './serve-storage.ts'

if (parentPort === null) throw new Error('This file runs as a worker thread')
// Checked boundary: only database-tasks.ts starts this file, with these options.
void serveStorage(parentPort, workerData as WorkerOptions)
