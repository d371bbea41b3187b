/** The icon in the system tray: its look, its menu and what its entries do. */
import {
  app,
  Menu,
  nativeImage,
  Tray,
  type MenuItemConstructorOptions,
  type NativeImage,
} from 'electron'
import type { Service } from '../../service/service.ts'
import { appState } from '../app-state.ts'
import type { QuickEntry } from '../quick-entry/quick-entry.ts'
import type { MainWindow } from '../window.ts'
import { findTrayHost, gdbusRunner } from './tray-host.ts'
import { drawTrayIcon, type TrayLook } from './tray-icon.ts'
import { dayAround, trayView, type TrayFacts, type TrayView } from './tray-view.ts'
import { t } from '../../shared/strings/strings.ts'

/** Requests can end many times per second; the menu is read by people. */
const refreshMs = 3_000
const hourMs = 3_600_000

const isMac = process.platform === 'darwin'
/** Points; each desktop draws its icons in one size. */
const sizePt = { darwin: 18, win32: 16 }[process.platform as string] ?? 22

export interface SystemTray {
  /** Whether the desktop has a tray; null while that is being found out. */
  hasHost(): boolean | null
  /** Whether the app can be reached by its icon. */
  isShown(): boolean
  /** Removes the icon for good. */
  close(): void
}

export interface TrayOptions {
  service: Service
  window: Pick<MainWindow, 'show'>
  quickEntry: Pick<QuickEntry, 'show'>
  /** Whether the user wants the icon; read again when a setting changes. */
  isWanted(): boolean
  /** Called once it is known whether the desktop has a tray. */
  onHost(hasHost: boolean): void
}

/** Shows the icon where the desktop has a tray and while the user wants it. */
export function openTray(options: TrayOptions): SystemTray {
  const { service, isWanted, onHost } = options
  let hasHost: boolean | null = null
  // Kept, because an icon without a reference is collected.
  let tray: ShownTray | null = null
  const update = () => {
    const isShown = hasHost === true && isWanted()
    if (isShown) tray ??= createTray(options)
    else {
      tray?.remove()
      tray = null
    }
  }
  service.on('changed', ({ what }) => {
    if (what === 'settings') update()
  })
  const quit = new AbortController()
  app.once('will-quit', () => quit.abort())
  const find = async () => {
    const { platform, env } = process
    const found = await findTrayHost({ platform, env, runGdbus: gdbusRunner(quit.signal) })
    if (quit.signal.aborted) return
    hasHost = found
    update()
    onHost(found)
  }
  void find()
  return {
    hasHost: () => hasHost,
    isShown: () => tray !== null,
    close() {
      quit.abort()
      tray?.remove()
      tray = null
    },
  }
}

interface ShownTray {
  remove(): void
}

function createTray({ service, window, quickEntry }: TrayOptions): ShownTray {
  const icon = new Tray(imageOf('serving'))
  icon.on('click', () => {
    // On macOS a click opens the menu.
    if (!isMac) window.show()
  })
  let shown = ''
  let today: TrayFacts['today'] = null
  const show = () => {
    const facts = { ...appState(service), providersInNeed: service.providersInNeed(), today }
    const view = trayView(facts)
    // Setting a menu again closes it on some desktops.
    if (JSON.stringify([view, facts.isPaused]) === shown) return
    shown = JSON.stringify([view, facts.isPaused])
    icon.setImage(imageOf(view.look))
    icon.setToolTip(['Modelport', view.status, view.need, view.today].filter(Boolean).join('\n'))
    icon.setContextMenu(menuOf(view, { service, window, quickEntry, isPaused: facts.isPaused }))
  }
  const refresh = async () => {
    today = await readToday(service)
    if (!icon.isDestroyed()) show()
  }
  const stop = listen(service, { show, refresh })
  show()
  void refresh()
  return {
    remove() {
      stop()
      icon.destroy()
    },
  }
}

/** @returns null while the database is out of use, which the window shows */
async function readToday({ usage }: Service): Promise<TrayFacts['today']> {
  try {
    const { total } = await usage.report(todaysQuery())
    return { costUsd: total.costUsd, requests: total.requests }
  } catch {
    return null
  }
}

/** Keeps the tray current: at once on a change of state or of the clock, three seconds after requests, and hourly. */
function listen(
  service: Service,
  { show, refresh }: { show: () => void; refresh: () => Promise<void> },
): () => void {
  let waiting: NodeJS.Timeout | null = null
  const stops = (['endpoint', 'paused', 'alarm', 'changed'] as const).map((name) =>
    service.on(name, show),
  )
  const stopRequests = service.on('request:finished', () => {
    waiting ??= setTimeout(() => {
      waiting = null
      void refresh()
    }, refreshMs)
  })
  const stopClock = service.on('clock', () => void refresh())
  // A new day begins without a request, too.
  const hourly = setInterval(() => void refresh(), hourMs)
  hourly.unref()
  return () => {
    for (const stop of [...stops, stopRequests, stopClock]) stop()
    if (waiting !== null) clearTimeout(waiting)
    clearInterval(hourly)
  }
}

function todaysQuery() {
  return { ...dayAround(Date.now()), bucketMs: hourMs, offsetMs: 0, group: 'none' } as const
}

interface MenuActions extends Pick<TrayOptions, 'window' | 'quickEntry'> {
  service: Pick<Service, 'setPaused'>
  isPaused: boolean
}

function menuOf(view: TrayView, { service, window, quickEntry, isPaused }: MenuActions): Menu {
  const need: MenuItemConstructorOptions[] =
    view.need === null
      ? []
      : [{ label: view.need, click: () => window.show('/models?view=providers') }]
  return Menu.buildFromTemplate([
    { label: view.status, enabled: false },
    ...need,
    { label: view.today, click: () => window.show('/activity?view=charts') },
    { type: 'separator' },
    { label: t('Open Modelport'), click: () => window.show() },
    { label: t('Quick entry'), click: () => quickEntry.show() },
    {
      label: isPaused ? t('Resume serving') : t('Pause serving'),
      enabled: view.canPause,
      click: () => service.setPaused(!isPaused),
    },
    { type: 'separator' },
    { label: t('Quit Modelport'), click: () => app.quit() },
  ])
}

const images = new Map<TrayLook, NativeImage>()

function imageOf(look: TrayLook): NativeImage {
  const known = images.get(look)
  if (known) return known
  const image = nativeImage.createEmpty()
  for (const scaleFactor of [1, 2]) {
    const sizePx = sizePt * scaleFactor
    const pixels = drawTrayIcon(look, { sizePx, isTemplate: isMac })
    const bitmap = nativeImage.createFromBitmap(pixels, { width: sizePx, height: sizePx })
    image.addRepresentation({ scaleFactor, buffer: bitmap.toPNG() })
  }
  image.setTemplateImage(isMac)
  images.set(look, image)
  return image
}
