import type { UpdatesState, UpdateStep } from '../../shared/app/updates.ts'
import type { Updates } from './updates.ts'

/** The window's calls about updates. */
export function updateHandlers(updates: Updates) {
  const steps: Readonly<Record<UpdateStep, () => Promise<UpdatesState>>> = {
    check: () => updates.check(),
    download: () => updates.download(),
    cancel_download: () => updates.cancelDownload(),
    skip: () => updates.skip(),
    offer: () => updates.offer(),
    install: () => updates.install(),
    go_back: () => updates.goBack(),
    stay: () => updates.stay(),
  }
  return {
    'updates:state': () => updates.state(),
    'updates:step': ({ step }: { step: UpdateStep }) => steps[step](),
  }
}
