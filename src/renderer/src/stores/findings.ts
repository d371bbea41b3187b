import type { Finding, ProbeSetting } from '../../../shared/requests/finding.ts'
import { t } from '../../../shared/strings/strings.ts'
import { call, toCallError } from './client.ts'
import { createListStore } from './list.ts'
import { showToast, showUndo } from './toasts.ts'

/** Findings about money and answers, also dismissed ones. */
export const useFindings = createListStore(() => call('findings:list'))

/** Providers whose daily probe is on. */
export const useProbes = createListStore(() => call('findings:probes'))

/** @throws CallError with the invalid field */
export async function setProbe(setting: ProbeSetting): Promise<void> {
  await call('findings:set-probe', setting)
  await useProbes.getState().load()
}

/** Dismisses a finding at once, with an undo. Never rejects: a notice says why it failed. */
export async function dismissFinding({ id }: Pick<Finding, 'id'>): Promise<void> {
  try {
    await call('findings:dismiss', { id, isDismissed: true })
  } catch (error) {
    showToast({ text: toCallError(error).message })
    return
  }
  showUndo(t('The finding is dismissed.'), async () => {
    await call('findings:dismiss', { id, isDismissed: false })
  })
}
