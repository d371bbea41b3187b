import { create } from 'zustand'
import type { UpdatePhase, UpdatesState, UpdateStep } from '../../../shared/updates.ts'
import { t } from '../../../shared/strings/strings.ts'
import { call, listen, toCallError, type CallError } from './client.ts'

interface UpdatesStore {
  /** Null until loaded. */
  state: UpdatesState | null
  error: CallError | null
  /** Connects to nothing. Never rejects. */
  load(): Promise<void>
}

/** The updates of the app. */
export const useUpdates = create<UpdatesStore>((set) => ({
  state: null,
  error: null,
  async load() {
    try {
      set({ state: await call('updates:state'), error: null })
    } catch (error) {
      set({ error: toCallError(error) })
    }
  },
}))

/** The version that one click goes back to, and why the last attempt failed; each null if there is none. */
export function wayBackOf(state: Pick<UpdatesState, 'phase' | 'previous'> | null): {
  version: string | null
  failure: string | null
} {
  const { phase, previous } = state ?? { phase: null, previous: null }
  const hasFailed = phase?.status === 'failed' && phase.step === 'go_back'
  return {
    version: previous?.isInstalled === true ? previous.version : null,
    failure: hasFailed ? t('Going back failed. {message}', { message: phase.message }) : null,
  }
}

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
            'Enter your password to install version {version}. Modelport keeps running until then.',
            {
              version: phase.version,
            },
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
