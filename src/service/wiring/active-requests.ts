import { ActiveRequests } from '../http/answers/active-requests.ts'
import type { Workspace } from './workspace.ts'

export function createActiveRequests({
  configuration,
}: Pick<Workspace, 'configuration'>): ActiveRequests {
  return new ActiveRequests(() => {
    const { concurrentRequests, concurrentRequestsPerKey } = configuration.current().settings
    return { total: concurrentRequests, perKey: concurrentRequestsPerKey }
  })
}
