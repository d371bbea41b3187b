/** The thread that reads bills and compares them. Its only message is the result of its task, or why there is none. */
import { parentPort, workerData } from 'node:worker_threads'
import { runReconcileTask, type ReconcileTask } from './reconcile-task.ts'

// Checked boundary: `reconcile` gives the worker a task and nothing else.
parentPort?.postMessage(runReconcileTask(workerData as ReconcileTask))
