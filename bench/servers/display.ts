import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A separate display, with the first free number. */
export async function openDisplay(): Promise<{ name: string; child: ChildProcess }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const numbers = child.stdio[3]
  if (!numbers) throw new Error('Xvfb has no pipe for its number')
  const number: unknown = (await once(numbers, 'data'))[0]
  return { name: `:${String(number).trim()}`, child }
}
