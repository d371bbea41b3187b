/** The thread in which a file is read. Its only message is a `ReadFile`, or null for an unknown kind. */
import { parentPort, workerData } from 'node:worker_threads'
import { readFile } from './read-file.ts'

// Checked boundary: `attach` gives the worker the bytes and nothing else.
const file = await readFile(workerData as Uint8Array)
parentPort?.postMessage(file)
