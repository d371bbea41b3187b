import { Notification } from 'electron'
import type { Notice } from './notices.ts'

/** Shown notifications. One without a reference is collected, and its click lost. */
const open = new Set<Notification>()

/** Shows a notification of the system. @param onClick  called with the notice's page */
export function showNotice(
  { title, body, path }: Pick<Notice, 'title' | 'body' | 'path'>,
  onClick: (path: string) => void,
): void {
  if (!Notification.isSupported()) return
  const notification = new Notification({ title, body, silent: true })
  open.add(notification)
  notification.on('click', () => {
    open.delete(notification)
    onClick(path)
  })
  notification.on('close', () => open.delete(notification))
  notification.on('failed', () => open.delete(notification))
  notification.show()
}
