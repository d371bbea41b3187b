/** Whether the Valkey that several nodes share can be reached; checked where the environment names one. */
import { readValkeyUrl } from '../shared-state/valkey/url.ts'
import type { SharedStatus } from '../shared-state/shared-state.ts'
import { askSharedState } from '../wiring/shared-state.ts'
import type { WorkspaceOptions } from '../wiring/workspace.ts'
import type { Finding } from './finding.ts'

const check = 'shared state'
const variable = 'MODELPORT_SHARED_URL'

export async function examineSharedState(options: WorkspaceOptions): Promise<Finding[]> {
  const text = options.env[variable]?.trim()
  if (!text) return []
  const address = readValkeyUrl(text)
  if (address === null) {
    const wayOut = `Set ${variable} to valkey://HOST:PORT, or valkeys:// for TLS.`
    return [{ check, status: 'fail', message: `${variable} is no address of a Valkey.`, wayOut }]
  }
  const status = await askSharedState(address, options)
  return [findingOf(status, `${address.host}:${address.port}`)]
}

function findingOf(status: SharedStatus, server: string): Finding {
  if (status.kind !== 'disconnected') {
    return { check, status: 'ok', message: `${server} answers.`, wayOut: null }
  }
  const message = `${server} cannot be used: ${status.reason}.`
  const wayOut = `Nodes answer without it, except requests with an Idempotency-Key. Check the server and ${variable}.`
  return { check, status: 'fail', message, wayOut }
}
