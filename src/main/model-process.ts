import { utilityProcess } from 'electron'
import {
  modelProcessEnvironment,
  modelProcessOptions,
  type ModelProcess,
} from '../service/service.ts'

/** The local model's process in Electron: `child_process.fork` is disabled in a package. */
export function forkModelProcess(entry: string): ModelProcess {
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Modelport local model',
    env: modelProcessEnvironment(process.env),
    execArgv: [...modelProcessOptions],
  })
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    // `child.kill()` sends SIGTERM, which a hanging process ignores.
    kill() {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL')
    },
    get pid() {
      return child.pid
    },
  }
}
