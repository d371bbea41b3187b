/** The wires, one line each. A wire's folder contains everything about it. */
import type { Wire } from '../wire.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { openAiChat } from './openai-chat/openai-chat.ts'

export const wires = {
  anthropic,
  'openai-chat': openAiChat,
} as const satisfies Record<string, Wire>

export type WireName = keyof typeof wires
