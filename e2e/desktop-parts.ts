/** The tray and the notifications of the app, which Playwright cannot see (recorded by held-app/main.mjs). */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'

interface Shown {
  trayMenu: Electron.Menu | null
  notices: string[]
}

/** The labels of the tray's menu; empty without a tray. */
export function trayMenu(app: ElectronApplication): Promise<string[]> {
  return app.evaluate(() => {
    const shown = Reflect.get(globalThis, Symbol.for('modelport.shown')) as Shown
    return (shown.trayMenu?.items ?? []).map(({ label }) => label).filter((label) => label !== '')
  })
}

/** Clicks an entry of the tray's menu. @throws when there is no such entry */
export function clickTray(app: ElectronApplication, label: string): Promise<void> {
  return app.evaluate((_electron, wanted) => {
    const shown = Reflect.get(globalThis, Symbol.for('modelport.shown')) as Shown
    const item = shown.trayMenu?.items.find((one) => one.label === wanted)
    if (!item) throw new Error(`The tray has no entry “${wanted}”`)
    item.click()
  }, label)
}

/** Title and body of each notification so far. */
export function notices(app: ElectronApplication): Promise<string[]> {
  return app.evaluate(
    () => (Reflect.get(globalThis, Symbol.for('modelport.shown')) as Shown).notices,
  )
}

/** The environment of a desktop that shows tray icons, on a bus that has none. @param use  the test with it */
export async function withTrayHost<Result>(
  use: (env: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-gdbus-'))
  try {
    const gdbus = join(folder, 'gdbus')
    await writeFile(gdbus, '#!/bin/sh\necho "(<true>,)"\n')
    await chmod(gdbus, 0o755)
    return await use({ PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` })
  } finally {
    await rm(folder, { recursive: true })
  }
}
