import type { ApiKey } from '../../../../shared/entities.ts'
import { formatRelativeTime } from '../../../../shared/strings/format.ts'
import { endOfKey, rotateAfterMs } from '../../../../shared/app/key-rotation.ts'
import type { Tone } from '../../components/badge.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** What deserves attention about a key, in words; `text` is null when nothing does. */
export interface KeyState {
  isUsable: boolean
  /** Whether rotating it makes sense: a key has one successor at most. */
  canRotate: boolean
  /** Older than 90 days. */
  isOld: boolean
  text: string | null
  tone: Tone
}

type StatedKey = Pick<ApiKey, 'createdAtMs' | 'expiresAtMs' | 'revokedAtMs'>

const soonMs = 7 * 86_400_000

/** @param isReplaced  whether a rotation gave it a successor */
export function keyState(
  { createdAtMs, expiresAtMs, revokedAtMs }: StatedKey,
  { nowMs, isReplaced }: { nowMs: number; isReplaced: boolean },
): KeyState {
  const unusable = { isUsable: false, canRotate: false, isOld: false }
  const end = endOfKey({ expiresAtMs, revokedAtMs }, nowMs)
  if (end === 'revoked' && revokedAtMs !== null) {
    return {
      ...unusable,
      text: t('revoked {revokedAtMs}', { revokedAtMs: formatRelativeTime(revokedAtMs, nowMs) }),
      tone: 'neutral',
    }
  }
  if (end !== null && isReplaced) return { ...unusable, text: t('replaced'), tone: 'neutral' }
  if (end !== null) return { ...unusable, text: t('expired'), tone: 'bad' }
  const isOld = nowMs - createdAtMs > rotateAfterMs && !isReplaced
  const usable = { isUsable: true, canRotate: !isReplaced, isOld }
  const isEnding = expiresAtMs !== null && expiresAtMs - nowMs < soonMs
  if (isEnding) {
    const when = formatRelativeTime(expiresAtMs, nowMs)
    const text = isReplaced ? t('replaced, ends {when}', { when }) : t('expires {when}', { when })
    return { ...usable, text, tone: 'warn' }
  }
  return { ...usable, text: isReplaced ? t('replaced') : null, tone: 'neutral' }
}

/** Usable keys before the others; otherwise in the given order. */
export function sortKeys(keys: readonly ApiKey[], nowMs: number): ApiKey[] {
  const isUsable = (key: ApiKey) => keyState(key, { nowMs, isReplaced: false }).isUsable
  return [...keys.filter(isUsable), ...keys.filter((key) => !isUsable(key))]
}
