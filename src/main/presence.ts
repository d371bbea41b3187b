/** The app without its window: the tray, closing the last window, and starts at login. */
import { app } from 'electron'
import type { Service } from '../service/service.ts'
import { showNotice } from './notices/show-notice.ts'
import { openTray, type SystemTray } from './tray/tray.ts'
import type { QuickEntry } from './quick-entry/quick-entry.ts'
import type { MainWindow } from './window.ts'
import { t } from '../shared/strings/strings.ts'

export interface PresenceOptions {
  window: MainWindow
  quickEntry: Pick<QuickEntry, 'show'>
  /** Whether the app started without showing its window. */
  isHidden: boolean
}

/** Opens the tray of a running service. */
export function openPresence(
  service: Service,
  { window, quickEntry, isHidden }: PresenceOptions,
): SystemTray {
  const isWanted = () => service.settings().keepInTray
  return openTray({
    service,
    window,
    quickEntry,
    isWanted,
    onHost(hasHost) {
      // A hidden app must be reachable; macOS has it in the dock.
      const isReachable = process.platform === 'darwin' || (hasHost && isWanted())
      if (isHidden && !isReachable) window.showMinimized()
    },
  })
}

/** Keeps the app running after its last window is closed, if the tray shows it. @param tray  null before the start */
export function keepServing(tray: () => SystemTray | null, window: MainWindow): void {
  app.on('window-all-closed', () => {
    // On macOS apps stay in the dock.
    if (process.platform === 'darwin') return
    if (tray()?.isShown() === true) explainOnce(window)
    else app.quit()
  })
}

function explainOnce(window: MainWindow): void {
  if (window.remembered().hasExplainedTray) return
  window.remember({ hasExplainedTray: true })
  const notice = {
    title: t('Modelport keeps serving'),
    body: t('It stays in the system tray. Quit it there, or click here to change this.'),
    path: '/settings',
  }
  showNotice(notice, (path) => window.show(path))
}
