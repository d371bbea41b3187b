/** Updates of the app itself, as the window shows them. */

import type { Settings } from './settings.ts'

export type UpdateMode = Settings['updates']

/** A version that the feed offers. */
export interface Release {
  version: string
  /** Plain text. */
  notes: string | null
  publishedAtMs: number | null
  /** Size of the package; null when the feed does not say. */
  bytes: number | null
  /** The package, for an app in a plain folder, which its user replaces by hand; null where the app installs it. */
  link: string | null
}

export type UpdateProblemKind =
  /** The feed or the package cannot be downloaded. */
  | 'unreachable'
  /** The user switched the connection off. */
  | 'switched_off'
  /** The feed is not signed with the key of this build. */
  | 'bad_signature'
  /** The feed is signed but cannot be read, or has no package for this installation. */
  | 'bad_feed'
  /** The package is not the one that the feed describes. */
  | 'damaged_package'
  | 'disk_full'
  /** The folder of the app cannot be changed by this user. */
  | 'read_only'
  /** The user did not confirm the installation with a password. */
  | 'not_authorized'
  /** The system's package manager did not install the package. */
  | 'installer_refused'
  | 'unexpected'

/** Steps that the user can choose. `offer` offers a skipped version again; `stay` takes `go_back` back. */
export const updateSteps = [
  'check',
  'download',
  'cancel_download',
  'skip',
  'offer',
  'install',
  'go_back',
  'stay',
] as const
export type UpdateStep = (typeof updateSteps)[number]

export type UpdatePhase =
  | { status: 'idle' }
  | { status: 'checking' }
  /** The feed has nothing newer. */
  | { status: 'current' }
  | { status: 'available'; release: Release }
  /** The user skipped this version. */
  | { status: 'skipped'; release: Release }
  | { status: 'downloading'; release: Release; receivedBytes: number }
  | { status: 'ready'; release: Release }
  /** The app stops, the system asks for a password if one is needed, and the app starts as this version. */
  | { status: 'installing'; version: string; needsPassword: boolean }
  | {
      status: 'failed'
      step: Extract<UpdateStep, 'check' | 'download' | 'install'>
      problem: UpdateProblemKind
      message: string
      /** The offered version; null after a failed check, and after a restart. */
      release: Release | null
    }

/** The version that ran before this one. */
export interface PreviousVersion {
  /** Null when it did not record it. */
  version: string | null
  /** The copy of the database that was made before this version's first start. */
  copy: string
  copiedAtMs: number
  hasCopy: boolean
  /** Whether the user chose to go back: that version restores the copy at its next start. */
  isChosen: boolean
}

export interface UpdatesState {
  /** The running version. */
  version: string
  /** Null for a build without a feed: it has no updates. */
  feedUrl: string | null
  phase: UpdatePhase
  lastCheckedAtMs: number | null
  previous: PreviousVersion | null
  /** Set after the user went back to this version. */
  restored: { fromVersion: string; keptAs: string | null; atMs: number } | null
  /** Why the database of the version before could not be restored. */
  restoreProblem: string | null
}
