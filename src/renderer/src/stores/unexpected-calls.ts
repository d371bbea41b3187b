import type { UnexpectedCall } from '../../../shared/requests/unexpected-call.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useUnexpectedCalls = createListStore(() => call('unexpected:list'))

/** @throws CallError */
export async function dismissUnexpectedCall({ ownerId, kind }: UnexpectedCall): Promise<void> {
  await call('unexpected:dismiss', { ownerId, kind })
}
