import type { UpdatePhase, UpdateStep } from '../../../shared/app/updates.ts'
import { t } from '../../../shared/strings/strings.ts'
import { call, listen } from './client.ts'
import { createLoadedStore } from './loaded.ts'

/** The updates of the app. */
export const useUpdates = createLoadedStore('state', () => call('updates:state'))

/** What a phase is about, in one sentence; empty when nothing has happened, and for a failure, which is an alert. */
export function phaseText(phase: UpdatePhase): string {
  switch (phase.status) {
    case 'idle':
    case 'failed':
      return ''
    case 'checking':
      return t('Checking…')
    case 'current':
      return t('There is no newer version.')
    case 'available':
      return t('Version {version} is available.', { version: phase.release.version })
    case 'skipped':
      return t('You skipped version {version}.', { version: phase.release.version })
    case 'downloading':
      return t('Downloading version {version}…', { version: phase.release.version })
    case 'ready':
      return t('Version {version} is ready to install.', { version: phase.release.version })
    case 'installing':
      return phase.needsPassword
        ? t(
            'Modelport stops. Enter your password to install version {version}; then it starts again.',
            { version: phase.version },
          )
        : t('Modelport is restarting as version {version}…', { version: phase.version })
  }
}

/** @returns stops following */
export function followUpdates(): () => void {
  return listen('updates', (state) => useUpdates.setState({ state }))
}

/** @throws CallError */
export async function runUpdateStep(step: UpdateStep): Promise<void> {
  useUpdates.setState({ state: await call('updates:step', { step }) })
}
