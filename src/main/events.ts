import type { Service } from '../service/service.ts'
import { appState } from './app-state.ts'
import { lastingFallbacks } from './notices/lasting-fallbacks.ts'
import {
  noticeOfAlarm,
  noticeOfApproval,
  noticeOfBrokenCache,
  noticeOfBudget,
  noticeOfCertificate,
  noticeOfFallback,
  noticeOfUnexpectedCall,
} from './notices/notice-words.ts'
import { createNotices } from './notices/notices.ts'
import { showNotice } from './notices/show-notice.ts'
import type { MainWindow } from './window.ts'

/** Forwards the service's events to the window, and applies theme and language. */
export function forwardEvents(service: Service, window: MainWindow): void {
  const sendState = () => window.send('app:state', appState(service))
  service.on('endpoint', sendState)
  service.on('paused', sendState)
  service.on('storage', sendState)
  service.on('local-model', sendState)
  service.on('refused-origins', sendState)
  const sendModels = async () => window.send('local-models', await service.localModels.list())
  service.on('local-models', () => void sendModels())
  service.on('request:finished', (record) => window.send('request:finished', record))
  service.on('connection-problems', (problems) => window.send('connection-problems', problems))
  service.on('tool-approvals', (open) => window.send('tool-approvals', open))
  service.on('tuning', (run) => window.send('tuning:progress', run))
  service.on('clock', () => window.send('clock', null))
  service.on('alarm', (alarm) => window.send('alarm', alarm))
  tellOfHealth(service, window)
  const applyLook = () => {
    const { theme, language } = service.settings()
    window.setTheme(theme)
    window.setLanguage(language)
  }
  service.on('changed', (change) => {
    window.send('changed', change)
    if (change.what === 'settings') applyLook()
  })
  applyLook()
}

/** The window reads the whole list, and a provider that fails now and then changes with each request. */
const healthPauseMs = 250

function tellOfHealth(service: Service, window: MainWindow): void {
  let timer: NodeJS.Timeout | undefined
  service.on('provider-health', () => {
    timer ??= setTimeout(() => {
      timer = undefined
      window.send('changed', { what: 'providers' })
    }, healthPauseMs)
  })
}

const weekMs = 7 * 86_400_000

/** Notifies of what needs the user. @returns stops the checks by time; a closed service has no events */
export function notifyOfEvents(service: Service, window: MainWindow): () => void {
  const tell = createNotices({
    now: Date.now,
    settings: () => service.settings(),
    show: (notice) => showNotice(notice, (path) => window.show(path)),
  })
  service.on('alarm', (alarm) => {
    // The window shows it.
    if (!window.isFocused()) tell(noticeOfAlarm(alarm))
  })
  service.on('tool-approvals', ([oldest]) => {
    // The window shows it.
    if (oldest && !window.isFocused()) tell(noticeOfApproval(oldest))
  })
  const lastingIn = lastingFallbacks(Date.now)
  service.on('request:finished', (record) => {
    const provider = lastingIn(record)
    if (provider !== null) tell(noticeOfFallback(provider))
    const broken = noticeOfBrokenCache(record)
    if (broken !== null) tell(broken)
  })
  service.on('budget-alerts', (alerts) => {
    const notice = noticeOfBudget(alerts)
    if (notice !== null) tell(notice)
  })
  service.on('unexpected-call', (news) => tell(noticeOfUnexpectedCall(news)))
  const checkCertificate = () => {
    const notice = noticeOfCertificate(service.certificateEnds(), Date.now())
    if (notice !== null) tell(notice)
  }
  checkCertificate()
  const weekly = setInterval(checkCertificate, weekMs).unref()
  return () => clearInterval(weekly)
}
