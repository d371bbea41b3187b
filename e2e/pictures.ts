/** Pictures for a person to look at, when `MODELPORT_UPDATE_PICTURES=1` asks for them: no test reads them, and each takes 0.1 s. */
import type { Page } from '@playwright/test'

export const savesPictures = process.env['MODELPORT_UPDATE_PICTURES'] === '1'

/** Saves the window in a folder of test-results. */
export async function savePicture(
  window: Page,
  name: string,
  folder: 'pages' | 'screenshots' = 'screenshots',
): Promise<void> {
  if (savesPictures) await window.screenshot({ path: `test-results/${folder}/${name}.png` })
}
