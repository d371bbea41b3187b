/** Decides when to notify: at most once per cause and hour, and never what the user turned off. */
import type { Settings } from '../../shared/app/settings.ts'

/** The setting that turns a notice off; null for problems that lose data and turns that wait, which are always told. */
type NoticeSwitch = Extract<keyof Settings, `notify${string}`>

/** Texts of a notification. They never contain a prompt or a key, because notifications are shown on locked screens. */
export interface Notice {
  switch: NoticeSwitch | null
  /** Cause of the notice, such as `provider:openai`; another notice of this cause has to wait. */
  cause: string
  title: string
  body: string
  /** The page that a click opens. */
  path: string
}

export interface NoticesOptions {
  now: () => number
  settings: () => Pick<Settings, NoticeSwitch>
  show: (notice: Notice) => void
}

const quietMs = 3_600_000

/** @returns shows a notice, unless the rules say no */
export function createNotices({ now, settings, show }: NoticesOptions): (notice: Notice) => void {
  const lastAtMs = new Map<string, number>()
  return (notice) => {
    if (notice.switch !== null && !settings()[notice.switch]) return
    const nowMs = now()
    const isQuiet = nowMs - (lastAtMs.get(notice.cause) ?? -Infinity) < quietMs
    if (isQuiet) return
    lastAtMs.set(notice.cause, nowMs)
    show(notice)
  }
}
