/** Words for refused connections and requests: what happened, and what to do. */
import type { ConnectionProblem } from '../../shared/app/connect.ts'

type Problem = Pick<ConnectionProblem, 'kind' | 'detail' | 'tool' | 'client'>

/** @param caFile  Modelport's certificate authority */
export function problemWords(problem: Problem, caFile: string): string {
  const { kind, detail } = problem
  const who = problem.tool ?? 'A client'
  switch (kind) {
    case 'certificate_refused':
      return `A client refused Modelport’s certificate${detail ? ` (${detail})` : ''}. Let the tool trust ${caFile}, and use localhost instead of an IP address in its base URL.`
    case 'plain_http':
      return 'A client connected without encryption. Use https:// in its base URL.'
    case 'wrong_key':
      return `${who} ${keyWords(detail)} Connect the tool again, or enter its key again.`
    case 'origin_refused':
      return `A web page of ${detail ?? 'an unknown origin'} was refused. If you trust it, allow this origin in the settings.`
    case 'host_refused':
      return `${who} called Modelport as ${detail ?? 'an unknown host'}. Use localhost in its base URL, or allow this host name in the settings.`
    case 'router_refused':
      return `${who} called a router that does not exist or that its key${detail === null ? '' : ` “${detail}”`} may not use. Connect the tool again, or give the key access to the router.`
    case 'wrong_address':
      return `${who} called ${detail ?? 'an address that does not exist'}. Check its base URL: some tools need /v1 at its end, others add it.`
  }
}

function keyWords(fault: string | null): string {
  switch (fault) {
    case 'missing':
      return 'sent no key.'
    case 'malformed':
      return 'sent a key that is not Modelport’s. Tools often send a placeholder when they find no key.'
    case 'revoked':
      return 'sent a key that is revoked.'
    case 'expired':
      return 'sent a key that has expired.'
    default:
      return 'sent a key that this Modelport does not know.'
  }
}
