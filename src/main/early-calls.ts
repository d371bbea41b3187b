/** The calls that work without a running service: its start, copies of the database, updates of the app, and its windows. */
import { app, dialog, shell } from 'electron'
import type { Backups } from '../service/service.ts'
import type { IpcCallName } from '../shared/ipc.ts'
import type { StartState } from '../shared/app/start-state.ts'
import { previewHandlers } from './code-preview.ts'
import type { Handlers } from './handlers.ts'
import type { QuickEntry } from './quick-entry/quick-entry.ts'
import type { ServiceHost } from './service-host.ts'
import { updateHandlers } from './updates/update-handlers.ts'
import type { Updates } from './updates/updates.ts'
import type { MainWindow } from './window.ts'
import { t } from '../shared/strings/strings.ts'

export type EarlyCallName = Extract<
  IpcCallName,
  `${'start' | 'backups' | 'updates' | 'preview' | 'quick-entry'}:${string}`
>

export function isEarlyCall(name: IpcCallName): name is EarlyCallName {
  return /^(start|backups|updates|preview|quick-entry):/.test(name)
}

type EarlyHandlers = Pick<Handlers, EarlyCallName>

interface Parts {
  window: Pick<MainWindow, 'current'>
  backups: Backups
  updates: Updates
  quickEntry: Pick<QuickEntry, 'handlers'>
}

export function earlyHandlers(
  host: ServiceHost,
  { window, backups, updates, quickEntry }: Parts,
): EarlyHandlers {
  return {
    // Only the main window tells how a restore ended: the quick entry may be hidden.
    'start:state': (_, caller) => host.takeState(caller === window.current()?.webContents),
    'start:retry': () => host.retry(),
    'start:open-folder': async () => void (await shell.openPath(app.getPath('userData'))),
    'start:quit': () => app.quit(),
    'start:empty': () => startEmpty(host, backups),

    'backups:list': () => backups.list(),
    'backups:create': () => backups.create(),
    'backups:save-as': () => saveAs(backups, window),
    'backups:reveal': async ({ name }) => shell.showItemInFolder(await backups.pathOf(name)),
    'backups:remove': ({ name }) => backups.remove(name),
    'backups:restore': async ({ name }) => void (await host.restore(() => backups.stage(name))),
    ...updateHandlers(updates),
    ...previewHandlers(),
    ...quickEntry.handlers,
  }
}

/** Starts with an empty database. Allowed only after a failed start: otherwise the database is in use. */
async function startEmpty(host: ServiceHost, backups: Backups): Promise<StartState> {
  const state = host.state()
  if (state.status !== 'failed' || state.problem !== 'damaged') return state
  await backups.setAside()
  return host.retry()
}

/** @returns null when the user closed the dialog */
async function saveAs(backups: Backups, window: Parts['window']): Promise<{ file: string } | null> {
  const parent = window.current()
  if (parent === null) return null
  const { filePath } = await dialog.showSaveDialog(parent, {
    title: t('Save a copy of the database'),
    defaultPath: `modelport-${new Date().toISOString().slice(0, 10)}.db`,
    filters: [{ name: t('Modelport databases'), extensions: ['db'] }],
  })
  if (!filePath) return null
  await backups.saveAs(filePath)
  return { file: filePath }
}
