import type { IpcEvents } from '../../src/shared/ipc.ts'
import type {
  Release,
  UpdatePhase,
  UpdatesState,
  UpdateStep,
} from '../../src/shared/app/updates.ts'
import type { HandlersOf } from './handlers.ts'
import type { Scene } from './scene.ts'

const release: Release = {
  version: '0.2.0',
  notes:
    'Answers stop sooner when you click Stop.\n\n- Budgets per agent\n- Charts load in half the time\n- Fixes for the proxy setting',
  publishedAtMs: Date.parse('2026-11-20T09:00:00Z'),
  bytes: 118_400_000,
  link: null,
}

/** The calls about updates. A download stays where it begins. */
export function updateHandlers(
  scene: Scene,
  emit: (name: 'updates', state: IpcEvents['updates']) => void,
): HandlersOf<`updates:${string}`> {
  const enter = (phase: UpdatePhase): UpdatesState => {
    Object.assign(scene.updates, { phase, lastCheckedAtMs: Date.parse('2026-11-22T08:30:00Z') })
    emit('updates', scene.updates)
    return scene.updates
  }
  const message =
    'Your user may not change the folder of the app. Install the new version the way you installed this one.'
  const problem = 'read_only'
  const phases: Readonly<Record<UpdateStep, UpdatePhase>> = {
    check: { status: 'available', release },
    download: { status: 'downloading', release, receivedBytes: 47_000_000 },
    cancel_download: { status: 'ready', release },
    skip: { status: 'skipped', release },
    offer: { status: 'available', release },
    install: { status: 'failed', step: 'install', problem, message, release },
    go_back: { status: 'idle' },
    stay: { status: 'idle' },
  }
  return {
    'updates:state': () => scene.updates,
    'updates:step': ({ step }) => enter(phases[step]),
  }
}

export function exampleUpdates(): UpdatesState {
  return {
    version: '0.1.0',
    feedUrl: 'https://updates.example.com/modelport/',
    phase: { status: 'idle' },
    lastCheckedAtMs: null,
    previous: {
      version: '0.0.9',
      copy: '/home/user/.config/Modelport/backups/before-0.1.0.db',
      copiedAtMs: Date.parse('2026-11-18T18:12:00Z'),
      hasCopy: true,
      isChosen: false,
    },
    restored: null,
    restoreProblem: null,
  }
}
