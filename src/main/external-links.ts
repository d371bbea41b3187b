/**
 * A link in the window may come from a model. So the user sees the whole address before the browser opens it, and
 * only https addresses are opened.
 */
import { dialog, shell } from 'electron'
import { t } from '../shared/strings/strings.ts'

const maxLength = 2_048
let isAsking = false

/** Opens an allowed address in the browser if the user agrees. @returns whether it was opened */
export async function askToOpen(address: string): Promise<boolean> {
  const url = parseLink(address)
  // One question at a time: a page that opens a hundred windows causes one question.
  if (url === null || isAsking) return false
  isAsking = true
  try {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: t('Open this address in your browser?'),
      detail: url,
      buttons: [t('Open'), t('Cancel')],
      defaultId: 1,
      cancelId: 1,
    })
    if (response === 0) await shell.openExternal(url)
    return response === 0
  } finally {
    isAsking = false
  }
}

/** The address to open; null for anything but a plain https address. */
function parseLink(address: string): string | null {
  if (address.length > maxLength || !URL.canParse(address)) return null
  const url = new URL(address)
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === ''
  return isPlain ? url.href : null
}
