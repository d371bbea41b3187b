import { create } from 'zustand'
import { saveSetting, useSettings } from './settings.ts'

/** Refused origins whose alarm was dismissed. The Settings page still lists them. */
export const useDismissedOrigins = create<{ origins: readonly string[] }>(() => ({ origins: [] }))

export function dismissOrigin(origin: string): void {
  useDismissedOrigins.setState(({ origins }) => ({ origins: [...origins, origin] }))
}

/** @throws CallError when it cannot be saved */
export async function allowOrigin(origin: string): Promise<void> {
  const allowed = await readAllowed()
  if (!allowed.includes(origin)) await saveSetting('allowedOrigins', [...allowed, origin])
}

/** @throws CallError when it cannot be saved */
export async function forbidOrigin(origin: string): Promise<void> {
  const allowed = await readAllowed()
  await saveSetting(
    'allowedOrigins',
    allowed.filter((other) => other !== origin),
  )
}

/** Reloads the list first, because a command or another alarm may have changed it. */
async function readAllowed(): Promise<readonly string[]> {
  await useSettings.getState().load()
  return useSettings.getState().settings?.allowedOrigins ?? []
}
