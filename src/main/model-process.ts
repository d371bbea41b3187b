import { utilityProcess } from 'electron'
import { modelProcessEnvironment, type ModelProcess } from '../service/service.ts'

/** The local model's process as Electron makes them: `child_process.fork` is fused off in a package. */
export function forkModelProcess(entry: string): ModelProcess {
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Modelport local model',
    env: modelProcessEnvironment(process.env),
  })
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    // `child.kill()` asks; a process that hangs would not hear it.
    kill() {
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL')
    },
    get pid() {
      return child.pid
    },
  }
}
