/**
 * A link in the window may come from a model. So a person sees the whole address before the browser
 * does, and only https goes there.
 */
import { dialog, shell } from 'electron'

const maxLength = 2_048
let isAsking = false

/** Opens the address in the browser if it is one we open at all and the person agrees. */
export async function askToOpen(address: string): Promise<void> {
  const url = parseLink(address)
  // One question at a time: a page that opens a hundred windows asks once.
  if (url === null || isAsking) return
  isAsking = true
  try {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: 'Open this address in your browser?',
      detail: url,
      buttons: ['Open', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    })
    if (response === 0) await shell.openExternal(url)
  } finally {
    isAsking = false
  }
}

/** The address as it would be opened; null for anything but a plain https one. */
function parseLink(address: string): string | null {
  if (address.length > maxLength || !URL.canParse(address)) return null
  const url = new URL(address)
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === ''
  return isPlain ? url.href : null
}
