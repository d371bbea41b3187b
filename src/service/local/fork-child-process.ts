/** The model's process under plain Node. Electron's `utilityProcess` comes from the desktop shell. */
import { fork, type Serializable } from 'node:child_process'
import type { ModelProcess } from './local-model.ts'
import { modelProcessEnvironment, modelProcessOptions } from './model-process-environment.ts'

/** Starts `entry` as a child of this process, which ends with it. */
export function forkChildProcess(entry: string): ModelProcess {
  const child = fork(entry, {
    env: modelProcessEnvironment(process.env),
    // The child does not inherit this process's options, such as an inspector's port.
    execArgv: [...modelProcessOptions],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    send(message) {
      // The process is exiting: its exit is reported, so the lost message need not be.
      // Checked boundary: messages are plain values (protocol.ts).
      if (child.connected) child.send(message as Serializable, () => undefined)
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit(listener) {
      child.once('exit', listener)
      child.once('error', listener)
    },
    kill: () => void child.kill('SIGKILL'),
    get pid() {
      return child.pid
    },
  }
}
