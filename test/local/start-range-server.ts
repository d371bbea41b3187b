import { onTestFinished } from 'vitest'
import { openRangeServer, type RangeAnswer, type RangeServer } from './range-server.ts'

/** A range server that closes at the end of the test. */
export async function startRangeServer(
  content: Buffer,
  script: readonly RangeAnswer[] = [],
): Promise<RangeServer> {
  const server = await openRangeServer(content, script)
  onTestFinished(() => server.close())
  return server
}
