/** A Valkey or Redis of a test's own, on a free port of this computer. */
import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { startValkey } from './beside-postgres.ts'

export interface RedisServer {
  port: number
  url: string
  /** Kills it; resolves when it has ended. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>
  /** Pauses the process or lets it continue, with its connections open. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Runs one command of `redis-cli`. */
  cli(...command: string[]): string
}

/** @param settings  further options, such as `--requirepass`. @param atEnd  when it ends */
export async function startRedis(
  settings: readonly string[] = [],
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<RedisServer> {
  const server = await startValkey(settings)
  atEnd(() => server.remove())
  const { port } = server
  const kill = () => server.end('SIGKILL')
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill()
      await server.start()
    },
    signal: (signal) => void process.kill(server.pid(), signal),
    cli: (...command) =>
      execFileSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8' }).trim(),
  }
}
