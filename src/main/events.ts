import type { Service } from '../service/service.ts'
import { fallbackNotices, showNotice } from './fallback-notices.ts'
import { appState } from './ipc.ts'
import type { MainWindow } from './window.ts'

/** Forwards the service's events to the window, and applies the theme to its frame. */
export async function forwardEvents(service: Service, window: MainWindow): Promise<void> {
  const sendState = () => window.send('app:state', appState(service))
  service.on('endpoint', sendState)
  service.on('paused', sendState)
  service.on('local-model', sendState)
  service.on('refused-origins', sendState)
  const sendModels = async () => window.send('local-models', await service.localModels.list())
  service.on('local-models', () => void sendModels())
  const noticeOf = fallbackNotices(Date.now)
  service.on('request:finished', (record) => {
    window.send('request:finished', record)
    const notice = noticeOf(record)
    if (notice) showNotice(notice, () => window.show())
  })
  service.on('connection-problems', (problems) => window.send('connection-problems', problems))
  service.on('tuning', (run) => window.send('tuning:progress', run))
  service.on('alarm', (alarm) => window.send('alarm', alarm))
  const applyTheme = async () => window.setTheme((await service.dashboard.settings()).theme)
  service.on('changed', (change) => {
    window.send('changed', change)
    if (change.what === 'settings') void applyTheme()
  })
  await applyTheme()
}
