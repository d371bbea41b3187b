/** The problems of an update, in words for people. */
import { ConnectionRefused, connectionOff } from '../../shared/app/open-connection.ts'
import type { UpdateProblemKind } from '../../shared/app/updates.ts'
import { t } from '../../shared/strings/strings.ts'

const messages: Readonly<Record<UpdateProblemKind, string>> = {
  unreachable: t('The update server cannot be reached. Check your connection, then try again.'),
  switched_off: connectionOff('updates'),
  bad_signature: t(
    'The list of updates is not signed with the key of this app, so it was not used. Nothing was downloaded. If this continues, tell the people who gave you the app.',
  ),
  bad_feed: t('The list of updates cannot be read, or has no package for this installation.'),
  damaged_package: t(
    'The downloaded package is not the one that the list of updates describes. It was deleted, and nothing was installed.',
  ),
  disk_full: t('The disk is full. Free some space, then try again.'),
  read_only: t(
    'Your user may not change the folder of the app. Install the new version the way you installed this one.',
  ),
  not_authorized: t('The password was not entered, so nothing was installed.'),
  installer_refused: t(
    'The package manager did not install the package. Try again, or install it by hand to see why.',
  ),
  unexpected: t('The update failed. The log in the data folder has the details.'),
}

/** An expected failure of an update. */
export class UpdateProblem extends Error {
  override readonly name = 'UpdateProblem'
  readonly kind: UpdateProblemKind

  constructor(kind: UpdateProblemKind, options?: ErrorOptions) {
    super(messages[kind], options)
    this.kind = kind
  }
}

/** The end of the installation as root when the package is not the one of the feed. */
export const damagedCode = 65

const byCode: readonly (readonly [RegExp, UpdateProblemKind])[] = [
  [/^ERR_CHECKSUM_MISMATCH$/, 'damaged_package'],
  [/^(ENOSPC|EDQUOT)$/, 'disk_full'],
  [/^(EACCES|EPERM|EROFS)$/, 'read_only'],
  [/^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|HTTP_ERROR)/, 'unreachable'],
  [/^ERR_UPDATER_/, 'bad_feed'],
]

const byMessage: readonly (readonly [RegExp, UpdateProblemKind])[] = [
  [/net::ERR_|timed out|socket hang up|aborted/i, 'unreachable'],
  [/No space left on device/, 'disk_full'],
  [/Permission denied|Read-only file system/i, 'read_only'],
  // pkexec's, when the user closes its question or the password is wrong.
  [/exited with code 126$/, 'not_authorized'],
  [new RegExp(`exited with code ${damagedCode}$`), 'damaged_package'],
  [/exited with code|Cannot install/, 'installer_refused'],
]

/** The problem that an error of the network, the disk or electron-updater means. */
export function toUpdateProblem(error: unknown): UpdateProblem {
  if (error instanceof UpdateProblem) return error
  if (error instanceof ConnectionRefused) return new UpdateProblem('switched_off', { cause: error })
  if (!(error instanceof Error)) return new UpdateProblem('unexpected', { cause: error })
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const kind =
    byCode.find(([pattern]) => pattern.test(code))?.[1] ??
    byMessage.find(([pattern]) => pattern.test(error.message))?.[1]
  return new UpdateProblem(kind ?? 'unexpected', { cause: error })
}
