/** The wires, one line each. A wire's folder contains everything about it. */
import type { Wire } from '../wire.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { google } from './google/google.ts'
import { azure } from './azure/azure.ts'
import { bedrock } from './bedrock/bedrock.ts'
import { ollama } from './ollama/ollama.ts'
import { googleVertex } from './google/vertex.ts'
import { openAiChat } from './openai-chat/openai-chat.ts'
import { openAiResponses } from './openai-responses/openai-responses.ts'
import { openAi } from './openai-responses/openai.ts'

export const wires = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  openai: openAi,
  anthropic,
  google,
  azure,
  bedrock,
  ollama,
  'google-vertex': googleVertex,
} as const satisfies Record<string, Wire>

export type WireName = keyof typeof wires
