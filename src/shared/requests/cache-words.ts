/** A broken cache in words: who broke it, where, and what to do. */
import { t } from '../strings/strings.ts'
import type { CachePlace, CacheVerdict } from './cache-verdict.ts'

/** Who broke the cache and where; null where it held. */
export function culpritWords(verdict: Pick<CacheVerdict, 'culprit' | 'place'>): string | null {
  const { culprit, place } = verdict
  if (culprit === undefined) return null
  if (culprit === 'vendor') {
    return t('The requests began the same, so the vendor lost the cache. There is nothing to do.')
  }
  const where = place === undefined ? t('the request') : placeWords(place)
  return culprit === 'modelport'
    ? t('Modelport changed {where}. Turn off what it adjusts, and report it.', { where })
    : t('The client changed {where}.', { where })
}

function placeWords(place: CachePlace): string {
  switch (place.part) {
    case 'tools':
      return toolWords[place.change]
    case 'system':
      return t('the system prompt near character {at}', { at: String(place.at) })
    case 'message':
      return t('message {at} or one soon after it', { at: String(place.at) })
    case 'effort':
      return t('the reasoning effort, which has a cache of its own')
  }
}

const toolWords = {
  reordered: t('the order of the tools'),
  changed: t('the description of a tool'),
  added: t('the list of tools: there are more'),
  removed: t('the list of tools: there are fewer'),
} as const
