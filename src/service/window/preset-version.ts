import { createHash } from 'node:crypto'
import type { Preset } from '../../shared/chat/conversations.ts'

/** A hash of what a conversation copies: prompt, parameters and router. The name is not copied, so a new name is no change. */
export function presetVersion({
  systemPrompt,
  parameters,
  routerId,
}: Pick<Preset, 'systemPrompt' | 'parameters' | 'routerId'>): string {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const copied = [systemPrompt, set.toSorted(([a], [b]) => (a < b ? -1 : 1)), routerId]
  return createHash('sha256').update(JSON.stringify(copied)).digest('hex').slice(0, 32)
}
